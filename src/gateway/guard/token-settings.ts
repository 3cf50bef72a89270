export interface TokenSettings {
  /** Path of a file with the secret of HS256, 32 bytes or more. */
  readonly secret?: string | undefined
  /** Path of a PEM file with a public key, for RS256 or ES256. */
  readonly key?: string | undefined
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
