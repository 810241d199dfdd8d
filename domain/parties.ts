interface Address {
  readonly address1: string | null;
  readonly address2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
}

/** The seller at the time of registration (bff § 5-1-2). */
export interface Seller extends Address {
  readonly name: string;
  readonly orgNumber: string;
  readonly email: string;
  readonly vatRegistered: boolean;
  readonly foretaksregisteret: boolean;
}

/** The buyer at the time of registration: name, and address or organisation number. */
export interface Buyer extends Address {
  readonly customerNumber: number;
  readonly name: string;
  readonly orgNumber: string | null;
  readonly email: string | null;
}
