/** Authorities and certificates for tests, made when a test asks for them. */

import { webcrypto } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { X509Certificate } from '@peculiar/x509'

// The package needs this one loaded before itself, and nothing of it.
await import('reflect-metadata')
const {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate: ReadCertificate,
  X509CertificateGenerator,
  X509CrlGenerator,
} = await import('@peculiar/x509')

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

export interface Issued {
  /** Both in PEM. */
  readonly certificate: string
  readonly key: string
}

export interface Asked {
  readonly name: string
  readonly hosts?: readonly string[]
  /** Days from now; negative: it has expired. */
  readonly days?: number
}

export class Authority {
  readonly certificate: string
  readonly #root: X509Certificate
  readonly #keys: webcrypto.CryptoKeyPair

  private constructor(root: X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#root = root
    this.#keys = keys
    this.certificate = root.toString('pem')
  }

  static async make(name = 'Test CA'): Promise<Authority> {
    const keys = await newKeys()
    const root = await X509CertificateGenerator.createSelfSigned(
      {
        name: `CN=${name}`,
        keys,
        signingAlgorithm: ALGORITHM,
        notBefore: new Date(Date.now() - DAY_MS),
        notAfter: new Date(Date.now() + DAY_MS),
        extensions: [new BasicConstraintsExtension(true, undefined, true)],
      },
      webcrypto,
    )
    return new Authority(root, keys)
  }

  /** The list of what the authority has revoked, in PEM. */
  revocations(...revoked: readonly Issued[]): Promise<string> {
    return this.revocationList(revoked, 1)
  }

  /** `days`: from now until it expires; negative: it has. */
  async revocationList(revoked: readonly Issued[], days: number): Promise<string> {
    const list = await X509CrlGenerator.create(
      {
        issuer: this.#root.subject,
        signingKey: this.#keys.privateKey,
        signingAlgorithm: ALGORITHM,
        thisUpdate: new Date(Date.now() - 10 * DAY_MS),
        nextUpdate: new Date(Date.now() + days * DAY_MS),
        entries: revoked.map(({ certificate }) => {
          const { serialNumber } = new ReadCertificate(certificate)
          return { serialNumber, revocationDate: new Date(Date.now() - DAY_MS / 2) }
        }),
      },
      webcrypto,
    )
    return PemConverter.encode(list.rawData, 'X509 CRL')
  }

  async issue({ name, hosts = [], days = 1 }: Asked): Promise<Issued> {
    const keys = await newKeys()
    const certificate = await X509CertificateGenerator.create(
      {
        subject: `CN=${name}`,
        issuer: this.#root.subject,
        publicKey: keys.publicKey,
        signingKey: this.#keys.privateKey,
        signingAlgorithm: ALGORITHM,
        notBefore: new Date(Date.now() - 10 * DAY_MS),
        notAfter: new Date(Date.now() + days * DAY_MS),
        extensions:
          hosts.length === 0
            ? []
            : [
                new SubjectAlternativeNameExtension(
                  hosts.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value })),
                ),
              ],
      },
      webcrypto,
    )
    const secret = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
    return { certificate: certificate.toString('pem'), key: PemConverter.encode(secret, 'PRIVATE KEY') }
  }
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

/** A folder of PEM files. */
export class PemFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'tidegate-pem-'))

  write(name: string, { certificate, key }: Issued): { readonly certificate: string; readonly key: string } {
    return { certificate: this.file(`${name}.crt`, certificate), key: this.file(`${name}.key`, key) }
  }

  file(name: string, text: string): string {
    const path = join(this.path, name)
    writeFileSync(path, text)
    return path
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }
}
