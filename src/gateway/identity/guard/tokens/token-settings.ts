export interface TokenSettings {
  /** Paths of files with secrets of HS256, 32 bytes or more each. */
  readonly secrets: readonly string[]
  /** Paths of PEM files with a public key each, for RS256 or ES256. */
  readonly keys: readonly string[]
  /** Path or URL (https) of a JSON Web Key Set, for RS256 or ES256. */
  readonly keySet?: string | undefined
  /** What the claims `iss` and `aud` must be; undefined: not looked at. */
  readonly issuer?: string | undefined
  readonly audience?: string | undefined
  /** The claim that names the user. */
  readonly userClaim: string
  /** Seconds by which the clocks of issuer and server may differ. */
  readonly skewSeconds: number
}

/** Key sets come from a file, too. */
export function isUrl(keySet: string): boolean {
  return /^https?:/i.test(keySet)
}
