import { COMMON_UNITS, OTHER_UNITS, unitName } from '../../../domain/invoice/unit-names.ts';
import {
  maySellerUse,
  treatmentOf,
  VAT_TREATMENT_NAMES,
  type VatTreatment,
} from '../../../domain/vat-treatment.ts';
import { withStorage } from '../../lib/storage.ts';
import type { Option } from '../../ui/Field.tsx';

/** The units that were chosen last on this device come first. */
export function UnitOptions({ chosen }: { chosen: string }) {
  const used = usedUnits();
  const isOffered = [...used, ...COMMON_UNITS, ...OTHER_UNITS].includes(chosen);
  const toRest = (units: readonly string[]) =>
    units.filter((unit) => !used.includes(unit)).map(toOption);
  return (
    <>
      {/* Another API client may have set a unit that is not offered here. */}
      {isOffered ? null : toOption(chosen)}
      {used.map(toOption)}
      {toRest(COMMON_UNITS)}
      <optgroup label="Flere">{toRest(OTHER_UNITS)}</optgroup>
    </>
  );
}

const USED_UNITS = 'faktur.units';
const USED_MAX = 5;

function usedUnits(): readonly string[] {
  return withStorage((kept) => kept.getItem(USED_UNITS)?.split(' ')) ?? [];
}

/** Remembers a unit that a person chose, per device. */
export function noteUnit(unit: string): void {
  const others = usedUnits().filter((other) => other !== unit);
  const used = [unit, ...others].slice(0, USED_MAX).join(' ');
  withStorage((kept) => kept.setItem(USED_UNITS, used));
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
