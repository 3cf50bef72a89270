/** The server's certificates. Their PEM files are read again when they change. */

import { constants, createHash, createPrivateKey, hkdfSync, X509Certificate } from 'node:crypto'
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

/** The contents of all files at one moment. */
interface Read {
  readonly pairs: readonly Pair[]
  readonly authorities: ClientAuthorities
}

const [CERTIFICATE, KEY, AUTHORITY] = ['--tls-certificate', '--tls-key', '--tls-client-ca']
const REVOCATIONS = '--tls-client-crl'
/** As Node takes them: a name, a key of the checksum and one of the cipher. */
const TICKET_KEYS_BYTES = 48
/** Node's own name for the sessions of a server differs between threads. */
const SESSIONS = 'tidegate'

/** A file cannot be used. The message names the file and the reason. */
export class CertificateError extends UnfitFileError {
  /** The flag that states the file, for people. */
  readonly flag: string

  constructor(flag: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.flag = flag
  }
}

export class Certificates {
  readonly settings: TlsSettings
  /** Counts of refused certificates, of all doors. */
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
    // A state of the files that is refused is logged once.
    this.#read = readAll(settings)
    this.#files = new WatchedFiles(pathsOf(settings), () => this.reload(), lookMs)
    this.#warn()
  }

  /** Options for connections that name no server (SNI), or a server without a certificate of its own. */
  get options(): SecureContextOptions {
    return this.#read.pairs[0]!.options
  }

  /** The expiry of each certificate, in milliseconds since 1970, by file. */
  get ends(): readonly { readonly file: string; readonly endMs: number }[] {
    return this.#read.pairs.map(({ leaf }, index) => ({
      file: this.settings.pairs[index]!.certificate,
      endMs: Date.parse(leaf.validTo),
    }))
  }

  /** The expiry of each revocation list, in milliseconds since 1970. Lists without one are left out. */
  get listEnds(): readonly { readonly file: string; readonly issuer: string; readonly endMs: number }[] {
    return this.#read.authorities.lists.flatMap(({ file, list: { issuer, endMs } }) =>
      endMs === undefined ? [] : [{ file, issuer: issuer.text, endMs }],
    )
  }

  /** The context for the server name that a client sends (SNI): of the first certificate for that name. */
  contextFor(serverName: string): SecureContext {
    const fitting = this.#read.pairs.find(({ leaf }) => leaf.checkHost(serverName) !== undefined)
    return (fitting ?? this.#read.pairs[0]!).context
  }

  /** Whether one of the certificates is for this host name or address. */
  isFor(host: string): boolean {
    return this.#read.pairs.some(
      ({ leaf }) =>
        leaf.checkHost(host) !== undefined || (isIP(host) !== 0 && leaf.checkIP(host) !== undefined),
    )
  }

  /** Calls the listener with the new options after each change. Returns a function that ends this. */
  onChange(listener: (options: SecureContextOptions) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Failures as sentences: files that cannot be read again, and certificates and lists that have expired, with the clients that are refused. */
  get troubles(): readonly string[] {
    return [...(this.#trouble === undefined ? [] : [this.#trouble]), ...this.#outdated()]
  }

  /** Reads the files again if any has changed. */
  look(): void {
    this.#files.look()
  }

  /** Reads the files again. Where one cannot be used, that is logged, and the certificates stay as they were. */
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

function readAll({ pairs, clientAuthorities, clientRevocations, ticketSecret }: TlsSettings): Read {
  const ca = clientAuthorities.map((path) => checkedAuthority(path))
  const revocations = clientRevocations.map((path) => checkedRevocations(path))
  const authorities = clientAuthorities.map((file, index) => ({ file, pem: ca[index]!.toString('latin1') }))
  const crl = revocations.flatMap(({ blocks }) => blocks)
  const sessions = ticketSecret && sharedSessions(ticketSecret, [...ca, ...crl])
  return {
    pairs: readPairs(pairs, { ...(ca.length > 0 && { ca }), ...(crl.length > 0 && { crl }), ...sessions }),
    authorities: new ClientAuthorities(
      authorities,
      revocations.flatMap(({ lists }) => lists),
    ),
  }
}

/**
 * The keys of tickets, for all threads that have read the same files: other authorities or lists of revoked certificates make other keys, so that no
 * session goes on whose client's certificate would be refused now.
 */
function sharedSessions(secret: Uint8Array, files: readonly (Buffer | string)[]): SecureContextOptions {
  const digest = createHash('sha256')
  for (const file of files) digest.update(createHash('sha256').update(file).digest())
  const keys = hkdfSync('sha256', secret, digest.digest(), 'keys of TLS tickets', TICKET_KEYS_BYTES)
  return { ticketKeys: Buffer.from(keys), sessionIdContext: SESSIONS }
}

function readPairs(pairs: TlsSettings['pairs'], shared: SecureContextOptions): Pair[] {
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
      // A second handshake could present another certificate than the checked one.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      ...shared,
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
  /** Each list as a text of its own: Node's context reads only the first list of a text. */
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
