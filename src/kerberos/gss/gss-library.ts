/** The system's GSSAPI: its functions, called through koffi. Each call is finished when it returns; those that may wait for a KDC, or take long, are for the threads of gss-worker.ts. */

import { createRequire } from 'node:module'
import { arch } from 'node:os'
import type * as Koffi from 'koffi'
import { reasonOf } from '../../model/error-reason.ts'
import { KerberosError } from '../kerberos.ts'
import { emptyBuffer, GssMemory, readBuffer, readUint32 } from './gss-memory.ts'
import { adviceFor } from './kerberos-advice.ts'

const load = createRequire(import.meta.url)

/** MIT's library, then Heimdal's, by their names on Linux, the BSDs and macOS. */
const LIBRARIES: readonly string[] =
  process.platform === 'darwin'
    ? ['/System/Library/Frameworks/GSS.framework/GSS', 'libgssapi_krb5.dylib']
    : ['libgssapi_krb5.so.2', 'libgssapi_krb5.so', 'libgssapi.so.3', 'libgssapi.so']

const INSTALL =
  'install the Kerberos library: libgssapi-krb5-2 on Debian and Ubuntu, krb5-libs on Red Hat and Alpine, krb5 by Homebrew on macOS'

type Argument = Buffer | bigint | number | null
type GssFunction = (...args: Argument[]) => number

/** Where the functions of this interface take a pointer, it is memory of this process, the address of memory that C owns, or null. */
export interface GssFunctions {
  readonly gss_import_name: GssFunction
  readonly gss_display_name: GssFunction
  readonly gss_release_name: GssFunction
  readonly gss_acquire_cred_from: GssFunction
  readonly gss_inquire_cred: GssFunction
  readonly gss_release_cred: GssFunction
  readonly gss_init_sec_context: GssFunction
  readonly gss_accept_sec_context: GssFunction
  readonly gss_delete_sec_context: GssFunction
  readonly gss_wrap: GssFunction
  readonly gss_unwrap: GssFunction
  readonly gss_wrap_size_limit: GssFunction
  readonly gss_release_buffer: GssFunction
  readonly gss_display_status: GssFunction
}

const POINTER = 'void *'
/** The arguments of each function, in order: p a pointer, u a number of 32 bits without sign, i one with sign. */
const ARGUMENTS: Readonly<Record<keyof GssFunctions, string>> = {
  gss_import_name: 'pppp',
  gss_display_name: 'pppp',
  gss_release_name: 'pp',
  gss_acquire_cred_from: 'ppupipppp',
  gss_inquire_cred: 'pppppp',
  gss_release_cred: 'pp',
  gss_init_sec_context: 'pppppuupppppp',
  gss_accept_sec_context: 'ppppppppppp',
  gss_delete_sec_context: 'ppp',
  gss_wrap: 'ppiuppp',
  gss_unwrap: 'pppppp',
  gss_wrap_size_limit: 'ppiuup',
  gss_release_buffer: 'pp',
  gss_display_status: 'puippp',
}

/** GSS_S_COMPLETE has no error bits; GSS_S_CONTINUE_NEEDED is an additional bit. */
const ERROR_BITS = 0xffff0000
export const CONTINUE_NEEDED = 1
const [OF_GSSAPI, OF_MECHANISM] = [1, 2]
/** The text of a mechanism that has nothing to say. */
const SUCCESS = 'Success'

export class GssLibrary {
  readonly functions: GssFunctions
  readonly memory: GssMemory
  /** The mechanism Kerberos 5: 1.2.840.113554.1.2.2. */
  readonly kerberos: Buffer
  /** The mechanism SPNEGO: 1.3.6.1.5.5.2. */
  readonly spnego: Buffer
  /** The form of names `name/host@REALM`: GSS_KRB5_NT_PRINCIPAL_NAME. */
  readonly principalName: Buffer
  /** The minor status of the last call. */
  readonly minor: Buffer = Buffer.alloc(4)
  readonly #koffi: typeof Koffi

  /** Throws KerberosError where koffi or the system's library is missing. */
  constructor() {
    this.#koffi = loadKoffi()
    const library = openFirst(this.#koffi)
    const types: Readonly<Record<string, string>> = { p: POINTER, u: 'uint32', i: 'int' }
    const functions = Object.entries(ARGUMENTS).map(([name, args]) => [
      name,
      library.func(
        name,
        'uint32',
        Array.from(args, (letter) => types[letter]!),
      ),
    ])
    this.functions = Object.fromEntries(functions) as GssFunctions
    this.memory = new GssMemory((bytes) => this.#koffi.address(bytes))
    this.kerberos = this.memory.oid([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02])
    this.spnego = this.memory.oid([0x2b, 0x06, 0x01, 0x05, 0x05, 0x02])
    this.principalName = this.memory.oid([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02, 0x01])
  }

  /** The major status, where it is no error. Throws KerberosError. `doing`: as in `cannot read the keytab F`. */
  check(major: number, doing: string): number {
    if ((major & ERROR_BITS) === 0) return major
    throw this.errorOf(major, doing)
  }

  errorOf(major: number, doing: string): KerberosError {
    const minor = readUint32(this.minor)
    const ofGssapi = this.#statusText(major, OF_GSSAPI)
    const ofMechanism = minor === 0 ? SUCCESS : this.#statusText(minor, OF_MECHANISM)
    const reason = ofMechanism === SUCCESS ? ofGssapi : ofMechanism
    return new KerberosError(`${doing}: ${reason}${adviceFor(reason)}`)
  }

  #statusText(status: number, kind: number): string {
    const [text, ignored, more] = [emptyBuffer(), Buffer.alloc(4), Buffer.alloc(4)]
    const mechanism = this.kerberos
    if (this.functions.gss_display_status(ignored, status, kind, mechanism, more, text) !== 0)
      return `status ${status}`
    return this.take(text).toString('utf8')
  }

  /** The address of bytes, which do not move. */
  addressOf(bytes: Buffer): bigint {
    return this.#koffi.address(bytes)
  }

  /** The bytes of a buffer that C has filled, copied; C's memory is given back. */
  take(filled: Buffer): Buffer<ArrayBuffer> {
    const { length, address } = readBuffer(filled)
    if (address === 0n) return Buffer.alloc(0)
    const content = length === 0 ? Buffer.alloc(0) : this.#copy(address, length)
    this.functions.gss_release_buffer(Buffer.alloc(4), filled)
    return content
  }

  /** Ends the process at once, without its threads: one that waits for a KDC cannot be ended otherwise. */
  endProcess(code: number): void {
    this.#koffi.load(null).func('_exit', 'void', ['int'])(code)
  }

  #copy(address: bigint, length: number): Buffer<ArrayBuffer> {
    return Buffer.from(new Uint8Array(this.#koffi.view(address, length)))
  }
}

function loadKoffi(): typeof Koffi {
  try {
    return load('koffi') as typeof Koffi
  } catch (error) {
    throw missingKoffi(error)
  }
}

/** The package itself, or its build for this platform, is optional: npm leaves both out with --omit=optional. The first line of `cause` counts. */
export function missingKoffi(cause: unknown): KerberosError {
  const [reason] = reasonOf(cause).split('\n')
  return new KerberosError(
    `the package koffi, through which Tidegate uses Kerberos, does not load on ${process.platform} ${arch()}: run \`npm install --include=optional\` where Tidegate is installed (${reason})`,
  )
}

function openFirst(koffi: typeof Koffi): Koffi.LibraryHandle {
  for (const name of LIBRARIES) {
    try {
      return koffi.load(name)
    } catch {
      // The next name may be that of this system.
    }
  }
  throw new KerberosError(
    `the system's GSSAPI (${LIBRARIES[0]}), which Kerberos needs, is not there: ${INSTALL}`,
  )
}
