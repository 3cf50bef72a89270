/** The authorities of clients' certificates, with their revocation lists. OpenSSL refuses all clients of an authority without a valid list. */

import { X509Certificate } from 'node:crypto'
import { subjectOf } from './distinguished-name.ts'
import type { RevocationList } from './revocation-list.ts'

const CERTIFICATE =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g

export interface ListFile {
  readonly file: string
  readonly list: RevocationList
}

interface NamedAuthority {
  readonly file: string
  readonly text: string
  readonly key: string
}

export class ClientAuthorities {
  readonly #authorities: readonly NamedAuthority[]
  readonly lists: readonly ListFile[]

  /** `files`: paths and texts (PEM) of the authorities. */
  constructor(files: readonly { readonly file: string; readonly pem: string }[], lists: readonly ListFile[]) {
    this.lists = lists
    // Without any list no certificate is revoked, and no authority needs a list.
    this.#authorities = lists.length === 0 ? [] : files.flatMap(namedAuthorities)
  }

  /** The reasons why all clients of an authority are refused now, as sentences. */
  troubles(nowMs: number): readonly string[] {
    return this.#authorities
      .map((authority) => this.#trouble(authority, nowMs))
      .filter((trouble) => trouble !== undefined)
  }

  #trouble({ file, text, key }: NamedAuthority, nowMs: number): string | undefined {
    const own = this.lists.filter(({ list }) => list.issuer.key === key)
    if (own.some(({ list }) => list.startMs <= nowMs && nowMs < (list.endMs ?? Infinity))) return undefined
    const refused = `every client with a certificate of ${text} is refused`
    const newest = own.toSorted((one, other) => (other.list.endMs ?? 0) - (one.list.endMs ?? 0))[0]
    if (newest === undefined)
      return `--tls-client-crl has no list of revoked certificates of ${text} (--tls-client-ca ${file}): ${refused}`
    const { startMs, endMs } = newest.list
    const why =
      startMs > nowMs ? `counts from ${dateOf(startMs)} on` : `has expired on ${dateOf(endMs ?? nowMs)}`
    return `the list of revoked certificates in ${newest.file} ${why}: ${refused}`
  }
}

function namedAuthorities({ file, pem }: { readonly file: string; readonly pem: string }): NamedAuthority[] {
  return (pem.match(CERTIFICATE) ?? []).map((block) => ({
    file,
    ...subjectOf(new X509Certificate(block).raw),
  }))
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString()
}
