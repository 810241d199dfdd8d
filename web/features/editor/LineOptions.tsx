import { COMMON_UNITS, OTHER_UNITS, unitName } from '../../../domain/invoice/unit-names.ts';
import {
  maySellerUse,
  treatmentOf,
  VAT_TREATMENT_NAMES,
  type VatTreatment,
} from '../../../domain/vat-treatment.ts';
import type { Option } from '../../ui/Field.tsx';

export function UnitOptions({ chosen }: { chosen: string }) {
  const isOffered = [...COMMON_UNITS, ...OTHER_UNITS].includes(chosen);
  return (
    <>
      {/* Another API client may have set a unit that is not offered here. */}
      {isOffered ? null : toOption(chosen)}
      {COMMON_UNITS.map(toOption)}
      <optgroup label="Flere">{OTHER_UNITS.map(toOption)}</optgroup>
    </>
  );
}

function toOption(unit: string) {
  return (
    <option key={unit} value={unit}>
      {unitName(unit)}
    </option>
  );
}

/** The treatments that the seller may use, and the one that a line already has. */
export function treatmentOptions(
  chosen: VatTreatment | null | undefined,
  isRegistered: boolean,
): Option[] {
  return VAT_TREATMENT_NAMES.filter(
    (name) => name === chosen || maySellerUse(name, isRegistered),
  ).map((name) => [name, treatmentOf(name).label]);
}
