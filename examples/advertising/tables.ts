/** The nine tables and their keys. README.md says why each key looks as it does. */

/** Namespace and prefix of all nine. */
export const NAMESPACE = 'cow_prod'

export const TABLES = {
  /** advertiser */
  advertiser: 'cow_prod:PROD_COW_ADVERTISER',
  /** advertiser,campaign */
  campaign: 'cow_prod:PROD_COW_CAMPAIGN',
  /** advertiser,campaign,group */
  group: 'cow_prod:PROD_COW_ADGROUP',
  /** advertiser,campaign,group,ad */
  ad: 'cow_prod:PROD_COW_AD',
  /** advertiser,campaign,group,ad,extension */
  extension: 'cow_prod:PROD_COW_ADEXTENSION',
  /** advertiser,campaign,group,attribute */
  targeting: 'cow_prod:PROD_COW_TARGETING_ATTRIBUTE',
  /** advertiser,offer */
  offer: 'cow_prod:PROD_COW_OFFER',
  /** type,id */
  domainObject: 'cow_prod:PROD_COW_DOMAINOBJECTS',
  /** type,id */
  parent: 'cow_prod:PROD_COW_PARENTMAPPING',
} as const

/** Two forms of an index from search terms to ads. */
export const INDEX_TABLES = {
  tall: 'cow_prod:SEARCH_TERM_TALL',
  wide: 'cow_prod:SEARCH_TERM_WIDE',
} as const

export type TableName =
  | (typeof TABLES)[keyof typeof TABLES]
  | (typeof INDEX_TABLES)[keyof typeof INDEX_TABLES]

/** One family with one qualifier, whose cells hold an object each, as JSON. */
export const COLUMN = 'd:m'

/** Ten versions for a week; the last two for ever. */
export const FAMILY = { name: 'd', VERSIONS: '10', MIN_VERSIONS: '2', TTL: '604800', COMPRESSION: 'GZ' }

/** Ids joined by commas. */
export function key(...ids: readonly (string | number)[]): string {
  return ids.join(',')
}
