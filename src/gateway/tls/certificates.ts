/** The server's certificates, read from PEM files, and read again when the files change. */

import { constants, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import type { Logger } from 'pino'
import { reasonOf } from '../../model/error-reason.ts'
import { UnfitFileError } from '../../model/unfit-file.ts'
import { WatchedFiles } from '../watched-files.ts'
import type { TlsSettings } from './tls-settings.ts'

/** A certificate with its key and its chain. */
interface Pair {
  readonly leaf: X509Certificate
  readonly options: SecureContextOptions
  readonly context: SecureContext
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
  readonly #logger: Logger
  readonly #listeners = new Set<(options: SecureContextOptions) => void>()
  readonly #files: WatchedFiles
  #pairs: readonly Pair[]
  #trouble: string | undefined

  /** Throws CertificateError. */
  constructor(settings: TlsSettings, logger: Logger, lookMs?: number) {
    this.settings = settings
    this.#logger = logger
    // A state that is refused once is not told again.
    this.#pairs = readPairs(settings)
    this.#files = new WatchedFiles(pathsOf(settings), () => this.reload(), lookMs)
    this.#tellExpiry()
  }

  /** For connections that name no server, and those that name one that no certificate is for. */
  get options(): SecureContextOptions {
    return this.#pairs[0]!.options
  }

  /** When each expires, by its file. */
  get ends(): readonly { readonly file: string; readonly endMs: number }[] {
    return this.#pairs.map(({ leaf }, index) => ({
      file: this.settings.pairs[index]!.certificate,
      endMs: Date.parse(leaf.validTo),
    }))
  }

  /** The context for a server name as a client sends it (SNI): of the first certificate that is for that name. */
  contextFor(serverName: string): SecureContext {
    const fitting = this.#pairs.find(({ leaf }) => leaf.checkHost(serverName) !== undefined)
    return (fitting ?? this.#pairs[0]!).context
  }

  /** Calls the listener with the new options after each change, until the returned function is called. */
  onChange(listener: (options: SecureContextOptions) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Why the certificates are those of older files; undefined: they are not. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /** Reads the files again if any has changed. */
  look(): void {
    this.#files.look()
  }

  /** Reads the files again. What cannot be used is logged, and the certificates stay as they were. */
  reload(): void {
    try {
      this.#pairs = readPairs(this.settings)
    } catch (error) {
      this.#trouble = `the certificates stay as they were: ${reasonOf(error)}`
      this.#logger.error({ err: error }, this.#trouble)
      return
    }
    this.#trouble = undefined
    for (const listener of this.#listeners) listener(this.options)
    this.#logger.info(
      { certificates: this.#pairs.map(({ leaf }) => leaf.subject) },
      'certificates read again',
    )
    this.#tellExpiry()
  }

  close(): void {
    this.#files.close()
  }

  #tellExpiry(): void {
    for (const [index, { leaf }] of this.#pairs.entries()) {
      const { certificate } = this.settings.pairs[index]!
      if (Date.parse(leaf.validTo) > Date.now()) continue
      this.#logger.warn(
        { file: certificate },
        `the certificate has expired on ${leaf.validTo}: clients will refuse it`,
      )
    }
  }
}

function readPairs({ pairs, clientAuthorities, clientRevocations }: TlsSettings): Pair[] {
  const ca = clientAuthorities.map((path) => checkedAuthority(path))
  const crl = clientRevocations.map((path) => checkedRevocations(path))
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

/** Node's context reads the first list of a file alone. */
function checkedRevocations(path: string): Buffer {
  const bytes = read(REVOCATIONS, path)
  const lists = bytes.toString('latin1').split('-----BEGIN X509 CRL-----').length - 1
  if (lists !== 1)
    throw new CertificateError(
      REVOCATIONS,
      `${path} holds ${lists === 0 ? 'no list' : `${lists} lists`} of revoked certificates (CRL) in PEM, and must hold one`,
    )
  parsed(REVOCATIONS, path, 'holds no list of revoked certificates in PEM', () =>
    createSecureContext({ crl: bytes }),
  )
  return bytes
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
