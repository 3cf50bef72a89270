/** The server's certificates, read from PEM files, and read again when the files change. */

import { constants, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import type { Logger } from 'pino'
import { reasonOf } from '../../../model/error-reason.ts'
import { UnfitFileError } from '../../../model/unfit-file.ts'
import { WatchedFiles } from '../files/watched-files.ts'
import { CertificateRefusals } from './certificate-refusals.ts'
import { ClientAuthorities, type ListFile } from './client-authorities.ts'
import { readRevocationList, revocationBlocks } from './revocation-list.ts'
import type { TlsSettings } from './tls-settings.ts'

/** A certificate with its key and its chain. */
interface Pair {
  readonly leaf: X509Certificate
  readonly options: SecureContextOptions
  readonly context: SecureContext
}

/** All that the files say, of one moment. */
interface Read {
  readonly pairs: readonly Pair[]
  readonly authorities: ClientAuthorities
}

const [CERTIFICATE, KEY, AUTHORITY] = ['--tls-certificate', '--tls-key', '--tls-client-ca']
const REVOCATIONS = '--tls-client-crl'

/** The files cannot be used: the message names the file and the reason. */
export class CertificateError extends UnfitFileError {
  /** The flag that names the file, for people. */
  readonly flag: string

  constructor(flag: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.flag = flag
  }
}

export class Certificates {
  readonly settings: TlsSettings
  /** Of all doors. */
  readonly refusals: CertificateRefusals = new CertificateRefusals()
  readonly #logger: Logger
  readonly #listeners = new Set<(options: SecureContextOptions) => void>()
  readonly #files: WatchedFiles
  #read: Read
  #trouble: string | undefined

  /** Throws CertificateError. */
  constructor(settings: TlsSettings, logger: Logger, lookMs?: number) {
    this.settings = settings
    this.#logger = logger
    // A state that is refused once is not told again.
    this.#read = readAll(settings)
    this.#files = new WatchedFiles(pathsOf(settings), () => this.reload(), lookMs)
    this.#warn()
  }

  /** For connections that name no server, and those that name one that no certificate is for. */
  get options(): SecureContextOptions {
    return this.#read.pairs[0]!.options
  }

  /** When each expires, by its file. */
  get ends(): readonly { readonly file: string; readonly endMs: number }[] {
    return this.#read.pairs.map(({ leaf }, index) => ({
      file: this.settings.pairs[index]!.certificate,
      endMs: Date.parse(leaf.validTo),
    }))
  }

  /** When each list of revoked certificates expires. A list without such a time has none here. */
  get listEnds(): readonly { readonly file: string; readonly issuer: string; readonly endMs: number }[] {
    return this.#read.authorities.lists.flatMap(({ file, list: { issuer, endMs } }) =>
      endMs === undefined ? [] : [{ file, issuer: issuer.text, endMs }],
    )
  }

  /** The context for a server name as a client sends it (SNI): of the first certificate that is for that name. */
  contextFor(serverName: string): SecureContext {
    const fitting = this.#read.pairs.find(({ leaf }) => leaf.checkHost(serverName) !== undefined)
    return (fitting ?? this.#read.pairs[0]!).context
  }

  /** Whether a certificate is for this name or address of a host. */
  isFor(host: string): boolean {
    return this.#read.pairs.some(
      ({ leaf }) =>
        leaf.checkHost(host) !== undefined || (isIP(host) !== 0 && leaf.checkIP(host) !== undefined),
    )
  }

  /** Calls the listener with the new options after each change, until the returned function is called. */
  onChange(listener: (options: SecureContextOptions) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** That the certificates are those of older files, and whom a certificate or a list that has expired keeps out: as sentences. */
  get troubles(): readonly string[] {
    return [...(this.#trouble === undefined ? [] : [this.#trouble]), ...this.#outdated()]
  }

  /** Reads the files again if any has changed. */
  look(): void {
    this.#files.look()
  }

  /** Reads the files again. What cannot be used is logged, and the certificates stay as they were. */
  reload(): void {
    try {
      this.#read = readAll(this.settings)
    } catch (error) {
      this.#trouble = `the certificates stay as they were: ${reasonOf(error)}`
      this.#logger.error({ err: error }, this.#trouble)
      return
    }
    this.#trouble = undefined
    for (const listener of this.#listeners) listener(this.options)
    this.#logger.info(
      { certificates: this.#read.pairs.map(({ leaf }) => leaf.subject) },
      'certificates read again',
    )
    this.#warn()
  }

  close(): void {
    this.#files.close()
  }

  #warn(): void {
    for (const sentence of this.#outdated()) this.#logger.warn(sentence)
  }

  #outdated(): readonly string[] {
    const nowMs = Date.now()
    const own = this.#read.pairs.flatMap(({ leaf }, index) =>
      Date.parse(leaf.validTo) > nowMs
        ? []
        : [
            `the certificate ${this.settings.pairs[index]!.certificate} has expired on ${leaf.validTo}: clients will refuse it`,
          ],
    )
    return [...own, ...this.#read.authorities.troubles(nowMs)]
  }
}

function readAll({ pairs, clientAuthorities, clientRevocations }: TlsSettings): Read {
  const ca = clientAuthorities.map((path) => checkedAuthority(path))
  const revocations = clientRevocations.map((path) => checkedRevocations(path))
  const authorities = clientAuthorities.map((file, index) => ({ file, pem: ca[index]!.toString('latin1') }))
  return {
    pairs: readPairs(
      pairs,
      ca,
      revocations.flatMap(({ blocks }) => blocks),
    ),
    authorities: new ClientAuthorities(
      authorities,
      revocations.flatMap(({ lists }) => lists),
    ),
  }
}

function readPairs(pairs: TlsSettings['pairs'], ca: Buffer[], crl: string[]): Pair[] {
  return pairs.map(({ certificate, key }) => {
    const chain = read(CERTIFICATE, certificate)
    const secret = read(KEY, key)
    const leaf = parsed(
      CERTIFICATE,
      certificate,
      'holds no certificate in PEM',
      () => new X509Certificate(chain),
    )
    const privateKey = parsed(KEY, key, 'holds no private key in PEM without a passphrase', () =>
      createPrivateKey(secret),
    )
    if (!leaf.checkPrivateKey(privateKey))
      throw new CertificateError(KEY, `${key} is not the key of the certificate in ${certificate}`)
    const options: SecureContextOptions = {
      cert: chain,
      key: secret,
      minVersion: 'TLSv1.2',
      // A second handshake could show another certificate than the one that was looked at.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      ...(ca.length > 0 && { ca }),
      ...(crl.length > 0 && { crl }),
    }
    return {
      leaf,
      options,
      context: parsed(CERTIFICATE, certificate, 'cannot be used', () => createSecureContext(options)),
    }
  })
}

function checkedAuthority(path: string): Buffer {
  const bytes = read(AUTHORITY, path)
  parsed(AUTHORITY, path, 'holds no certificate in PEM', () => new X509Certificate(bytes))
  return bytes
}

interface Revocations {
  /** Node's context reads the first list of a text alone, so that each is one by itself. */
  readonly blocks: readonly string[]
  readonly lists: readonly ListFile[]
}

function checkedRevocations(path: string): Revocations {
  const fault = 'holds no list of revoked certificates (CRL) in PEM'
  const blocks = revocationBlocks(read(REVOCATIONS, path).toString('latin1'))
  if (blocks.length === 0) throw new CertificateError(REVOCATIONS, `${path} ${fault}`)
  const lists = blocks.map((block) =>
    parsed(REVOCATIONS, path, fault, () => {
      createSecureContext({ crl: block })
      return { file: path, list: readRevocationList(block) }
    }),
  )
  return { blocks, lists }
}

function read(flag: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new CertificateError(flag, `${path} cannot be read (${reasonOf(error)})`, { cause: error })
  }
}

function parsed<T>(flag: string, path: string, fault: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new CertificateError(flag, `${path} ${fault} (${reasonOf(error)})`, { cause: error })
  }
}

function pathsOf({ pairs, clientAuthorities, clientRevocations }: TlsSettings): string[] {
  const own = pairs.flatMap(({ certificate, key }) => [certificate, key])
  return [...own, ...clientAuthorities, ...clientRevocations]
}
