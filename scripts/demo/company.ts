// The demo's company. Everything is made up, and mail to .example reaches nobody (RFC 2606).

/** The owner of the company. */
export const DEMO_EMAIL = 'kari@snekker.example';

export const ACCOUNT = '86011117947';

export const PROFILE = {
  companyName: 'Snekker Andersen AS',
  orgNumber: '123456785',
  vatRegistered: true,
  foretaksregisteret: true,
  email: DEMO_EMAIL,
  billingAddress1: 'Storgata 1',
  billingPostalCode: '0155',
  billingCity: 'Oslo',
  startInvoiceNumber: 1001,
  defaultMessage: 'Takk for oppdraget!\nSpørsmål om fakturaen? Svar på e-posten, så ringer vi.',
  bankAccounts: [{ bankAccountNumber: ACCOUNT, isPrimary: true }],
};

/** The customer whose mail bounces. */
export const BOUNCING_EMAIL = 'regnskap@brygga.example';

/** In the order of their customer numbers, from 1. */
export const CUSTOMERS = [
  {
    name: 'Ørsta Båt AS',
    email: 'post@orstabat.example',
    orgNumber: '974760673',
    address1: 'Kaia 2',
    postalCode: '6150',
    city: 'Ørsta',
  },
  {
    name: 'Bjørkely Borettslag',
    email: 'styret@bjorkely.example',
    address1: 'Bjørkelia 4',
    postalCode: '0870',
    city: 'Oslo',
  },
  {
    name: 'Åse Nilsen',
    email: 'ase@nilsen.example',
    isPrivate: true,
    phoneNumber: '98765432',
    address1: 'Fjellveien 18',
    postalCode: '0274',
    city: 'Oslo',
  },
  {
    name: 'Solsiden Borettslag',
    email: 'styret@solsiden.example',
    address1: 'Solsiden 1',
    postalCode: '0580',
    city: 'Oslo',
  },
  {
    name: 'Jonas Haugen',
    email: 'jonas@haugen.example',
    isPrivate: true,
    phoneNumber: '41234567',
    address1: 'Løkka 7',
    postalCode: '0554',
    city: 'Oslo',
  },
  {
    name: 'Toppåsen Sameie',
    email: 'post@toppasen.example',
    address1: 'Toppåsen 22',
    postalCode: '1262',
    city: 'Oslo',
  },
  {
    name: 'Lie Rør AS',
    email: 'faktura@lieror.example',
    orgNumber: '910502905',
    address1: 'Industrigata 30',
    postalCode: '0357',
    city: 'Oslo',
  },
  {
    name: 'Marte Eide',
    email: 'marte@eide.example',
    isPrivate: true,
    address1: 'Parkveien 3',
    postalCode: '0350',
    city: 'Oslo',
  },
  {
    name: 'Restaurant Brygga AS',
    email: BOUNCING_EMAIL,
    orgNumber: '910502913',
    address1: 'Brygga 5',
    postalCode: '0250',
    city: 'Oslo',
  },
  // Without an e-mail address, so its invoices are printed.
  { name: 'Fjordgløtt Kafé', address1: 'Strandgata 9', postalCode: '1440', city: 'Drøbak' },
  {
    name: 'Malmö Möbler AB',
    email: 'faktura@malmomobler.example',
    address1: 'Hamngatan 2',
    postalCode: '211 22',
    city: 'Malmö',
    country: 'SE',
  },
] as const;

/** Customers with a standing assignment. */
export const HOUSING = [2, 4, 6];

/** The company's products, by number from 1. */
export const PRODUCTS = [
  { name: 'Snekkerarbeid', netPrice: 850, unit: 'HUR' },
  { name: 'Kjøring', netPrice: 9, unit: 'KMT' },
  { name: 'Montering av kjøkken', netPrice: 14_500, unit: 'EA' },
  { name: 'Skifte av vindu', netPrice: 3900, unit: 'EA' },
  { name: 'Terrasse i furu', netPrice: 1150, unit: 'MTK' },
  { name: 'Reparasjon av dør', netPrice: 1250, unit: 'EA' },
  { name: 'Avhending', netPrice: 550, unit: 'EA' },
] as const;

/**
 * @param netUnitAmount kroner without VAT
 * @param unit of UN/ECE Recommendation 20
 */
function line(description: string, netUnitAmount: number, invoicedQuantity: number, unit = 'EA') {
  const place = PRODUCTS.findIndex(({ name }) => name === description);
  const productNumber = place < 0 ? null : String(place + 1);
  const vatRatePercentage = 25 as const;
  return { description, netUnitAmount, invoicedQuantity, unit, vatRatePercentage, productNumber };
}

export const TRIP = line('Kjøring', 9, 38, 'KMT');
export const DAY_OF_WORK = line('Snekkerarbeid', 850, 8, 'HUR');
export const CARE = line('Vaktmestertjeneste {måned}', 3200, 1);

/** The company's works, used in turn. */
export const WORKS = [
  [line('Snekkerarbeid', 850, 7.5, 'HUR'), TRIP],
  [line('Montering av kjøkken', 14_500, 1), line('Beslag og skruer', 640, 1)],
  [line('Skifte av vindu', 3900, 2), line('Avhending', 550, 1)],
  [line('Terrasse i furu', 1150, 24.5, 'MTK'), line('Materialer', 8200, 1), TRIP],
  [line('Reparasjon av dør', 1250, 1), TRIP],
  [line('Snekkerarbeid', 850, 2.5, 'HUR')],
] as const;
