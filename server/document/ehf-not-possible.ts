import { EHF_OBSTACLES, type EhfObstacle } from '../../domain/document/document.errors.ts';

/** The document cannot be expressed in EHF Billing 3.0. It is frozen, so this is final. The message is in English. */
export class EhfNotPossible extends Error {
  override readonly name = 'EhfNotPossible';
  readonly code: EhfObstacle;

  constructor(code: EhfObstacle) {
    super(EHF_OBSTACLES[code].en);
    this.code = code;
  }
}
