import { COMMON_UNITS, OTHER_UNITS, unitName } from '../../../domain/invoice/unit-names.ts';
import {
  maySellerUse,
  treatmentOf,
  VAT_TREATMENT_NAMES,
  type VatTreatment,
} from '../../../domain/vat-treatment.ts';

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

interface TreatmentOptionsProps {
  readonly chosen: VatTreatment | undefined;
  readonly isRegistered: boolean;
}

export function TreatmentOptions({ chosen, isRegistered }: TreatmentOptionsProps) {
  // A line may already have a treatment that is not for this seller.
  const offered = VAT_TREATMENT_NAMES.filter(
    (name) => name === chosen || maySellerUse(name, isRegistered),
  );
  return offered.map((name) => (
    <option key={name} value={name}>
      {treatmentOf(name).label}
    </option>
  ));
}
