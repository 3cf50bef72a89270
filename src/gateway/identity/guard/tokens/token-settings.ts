export interface TokenSettings {
  /** Paths of files with one secret for HS256 each, of 32 bytes or more. */
  readonly secrets: readonly string[]
  /** Paths of PEM files with one public key each, for RS256 or ES256. */
  readonly keys: readonly string[]
  /** Path or URL (https) of a JSON Web Key Set, for RS256 or ES256. */
  readonly keySet?: string | undefined
  /** The required value of the claim `iss`; undefined: any. */
  readonly issuer?: string | undefined
  /** The required value of the claim `aud`; undefined: any. */
  readonly audience?: string | undefined
  /** The claim that names the user. */
  readonly userClaim: string
  /** Seconds by which the clocks of issuer and server may differ. */
  readonly skewSeconds: number
}

/** True for a key set behind a URL, false for one in a file. */
export function isUrl(keySet: string): boolean {
  return /^https?:/i.test(keySet)
}
