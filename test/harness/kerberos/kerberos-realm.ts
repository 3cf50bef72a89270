/**
 * The principals of a KDC of MIT and its clients' tickets. It works on the KDC's files, so that any process of this machine can add
 * principals: the suites of `npm run test:kerberos` do so with a KDC that another process runs.
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { REALM } from './kdc-files.ts'
import { type KerberosProgram, type KerberosPrograms, kerberosPrograms } from './kerberos-programs.ts'

const execute = promisify(execFile)

/** As JSON in the file that TIDEGATE_KDC names. */
export interface RealmDescription {
  readonly folder: string
  readonly port: number
}

/** The key of a principal: made from a password, or random and added to a keytab. */
export type PrincipalKey = { readonly password: string } | { readonly keytab: string }

export interface PrincipalOptions {
  /** The longest life of its tickets; default: ten hours. */
  readonly lifeSeconds?: number
}

export interface KinitOptions {
  readonly lifeSeconds?: number
  /** Seconds that the program's clock is ahead (behind: below 0), by libfaketime. */
  readonly clockOffsetSeconds?: number
}

export class KerberosRealm {
  readonly realm: string = REALM
  readonly folder: string
  readonly port: number
  protected readonly programs: KerberosPrograms = kerberosPrograms()

  constructor({ folder, port }: RealmDescription) {
    this.folder = folder
    this.port = port
  }

  get description(): RealmDescription {
    return { folder: this.folder, port: this.port }
  }

  /** krb5.conf, which takes the place of /etc/krb5.conf: for Java by -Djava.security.krb5.conf=. */
  get configuration(): string {
    return join(this.folder, 'krb5.conf')
  }

  /** Variables for programs that are clients or servers of this realm. Replay caches and tickets without a name stay in the KDC's folder. */
  get environment(): Readonly<Record<string, string>> {
    return {
      KRB5_CONFIG: this.configuration,
      KRB5_KDC_PROFILE: join(this.folder, 'kdc.conf'),
      KRB5RCACHEDIR: this.folder,
      LC_ALL: 'C',
    }
  }

  /** `name`: with its realm, or of the first realm. Rejects where the principal exists. */
  async addPrincipal(name: string, key: PrincipalKey, options: PrincipalOptions = {}): Promise<void> {
    const { lifeSeconds } = options
    const life = lifeSeconds === undefined ? [] : ['-maxlife', `${lifeSeconds} seconds`]
    const secret = 'password' in key ? ['-pw', key.password] : ['-randkey']
    await this.#administer(name, ['addprinc', ...life, ...secret, name])
    if ('keytab' in key) await this.keytab(key.keytab, [name])
  }

  /** Adds the keys of the principals to the file, which need not exist. The principals keep their keys. */
  async keytab(path: string, principals: readonly string[]): Promise<void> {
    for (const principal of principals)
      await this.#administer(principal, ['ktadd', '-norandkey', '-q', '-k', path, principal])
  }

  /** Gives the principal a new key: those of older keytabs are wrong then. */
  async changeKey(name: string): Promise<void> {
    await this.#administer(name, ['cpw', '-randkey', name])
  }

  async deletePrincipal(name: string): Promise<void> {
    await this.#administer(name, ['delprinc', '-force', name])
  }

  /** Writes a ticket into the cache, a file. Rejects with what kinit prints. */
  async kinit(
    cache: string,
    principal: string,
    key: PrincipalKey,
    options: KinitOptions = {},
  ): Promise<void> {
    const { lifeSeconds } = options
    const life = lifeSeconds === undefined ? [] : ['-l', `${lifeSeconds}s`]
    const keytab = 'keytab' in key ? ['-k', '-t', key.keytab] : []
    await this.run('kinit', ['-c', cache, ...life, ...keytab, principal], {
      input: 'password' in key ? `${key.password}\n` : '',
      environment: this.otherTime(options.clockOffsetSeconds ?? 0),
    })
  }

  /** The text that klist prints of a cache. */
  klist(cache: string): Promise<string> {
    return this.run('klist', ['-c', cache])
  }

  /** The text that the program prints. Rejects with both outputs where it fails. */
  async run(
    program: KerberosProgram,
    args: readonly string[],
    { input = '', environment = {} }: { input?: string; environment?: Readonly<Record<string, string>> } = {},
  ): Promise<string> {
    const running = execute(this.programs.paths[program], args, {
      env: { ...process.env, ...this.environment, ...this.programs.environment, ...environment },
      timeout: 30_000,
    })
    // Programs that ask for nothing may end first.
    running.child.stdin?.on('error', () => undefined)
    running.child.stdin?.end(input)
    try {
      return (await running).stdout
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string }
      throw new Error(`${program} ${args.join(' ')}: ${stdout ?? ''}${stderr ?? ''}`, { cause: error })
    }
  }

  /** The variables by which any program sees a time that many seconds ahead. Throws where libfaketime is missing. */
  otherTime(offsetSeconds: number): Readonly<Record<string, string>> {
    if (offsetSeconds === 0) return {}
    const { fakeTime } = this.programs
    if (fakeTime === undefined)
      throw new Error('libfaketime is missing, which shows a program another time: apt-get install faketime')
    const sign = offsetSeconds < 0 ? '' : '+'
    return { LD_PRELOAD: fakeTime, FAKETIME: `${sign}${offsetSeconds}s` }
  }

  async #administer(name: string, query: readonly string[]): Promise<void> {
    const realm = name.includes('@') ? name.slice(name.lastIndexOf('@') + 1) : this.realm
    await this.run('kadmin.local', ['-r', realm, ...query])
  }
}
