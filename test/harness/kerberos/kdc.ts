/**
 * An MIT KDC on loopback, for tests: a process of this user on a free port, with its files in a temporary folder. Nothing of the machine's own
 * Kerberos is read or changed.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptPort } from '../kept-port.ts'
import { own } from '../processes/owned-children.ts'
import { kdcConf, krb5Conf, OTHER_REALM, REALM } from './kdc-files.ts'
import { KerberosRealm } from './kerberos-realm.ts'

export interface KdcOptions {
  /** Serves a second realm too, OTHER.TEST: each realm trusts the other. */
  readonly otherRealm?: boolean
  /** Seconds by which clocks may differ; default: 300. */
  readonly clockSkewSeconds?: number
  /** Seconds that the KDC's clock is ahead (behind: below 0): its tickets begin in the future or have ended. */
  readonly clockOffsetSeconds?: number
}

export class Kdc extends KerberosRealm {
  readonly otherRealm: string = OTHER_REALM
  readonly #realms: readonly string[]
  #process: ChildProcess | undefined

  private constructor(folder: string, port: number, realms: readonly string[]) {
    super({ folder, port })
    this.#realms = realms
  }

  /** Resolves once it serves. Rejects with the missing programs, or with what a program prints. */
  static async start(options: KdcOptions = {}): Promise<Kdc> {
    const folder = mkdtempSync(join(tmpdir(), 'kdc-'))
    const realms = options.otherRealm === true ? [REALM, OTHER_REALM] : [REALM]
    try {
      const kdc = new Kdc(folder, await keptPort(), realms)
      await kdc.#createRealms(options.clockSkewSeconds ?? 300)
      await kdc.restart(options.clockOffsetSeconds)
      return kdc
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }

  async #createRealms(clockSkewSeconds: number): Promise<void> {
    const realms = this.#realms
    const { folder, port, programs } = this
    const files = { folder, port, realms, clockSkewSeconds, databasePlugins: programs.databasePlugins }
    writeFileSync(this.configuration, krb5Conf(files))
    writeFileSync(join(folder, 'kdc.conf'), kdcConf(files))
    for (const realm of realms)
      await this.run('kdb5_util', ['create', '-r', realm, '-s', '-P', 'master key of a test'])
    for (const realm of realms) {
      for (const peer of realms.filter((name) => name !== realm)) {
        for (const principal of [`krbtgt/${peer}@${realm}`, `krbtgt/${realm}@${peer}`])
          await this.run('kadmin.local', ['-r', realm, 'addprinc', '-pw', 'trust of a test', principal])
      }
    }
  }

  /** Serves again, on the same port and with the same principals. `clockOffsetSeconds`: as of KdcOptions; default: 0. */
  async restart(clockOffsetSeconds = 0): Promise<void> {
    await this.stop()
    const child = spawn(
      this.programs.paths.krb5kdc,
      ['-n', ...this.#realms.flatMap((name) => ['-r', name])],
      {
        env: {
          ...process.env,
          ...this.environment,
          ...this.programs.environment,
          ...this.otherTime(clockOffsetSeconds),
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    own(child, () => this.#removeFolder())
    this.#process = child
    await new Promise<void>((resolve, reject) => {
      let printed = ''
      child.stderr.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        // It prints this once it listens.
        if (printed.includes('starting...')) resolve()
      })
      child.once('error', reject)
      child.once('exit', () => reject(new Error(`krb5kdc has ended: ${printed}\n${this.log()}`)))
    })
  }

  /** The KDC is away until `restart`. */
  async stop(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }

  /** Ends the KDC and removes its files. */
  async close(): Promise<void> {
    await this.stop()
    this.#removeFolder()
  }

  /** Its own log: a line for each request, with the reason for a refusal. */
  log(): string {
    try {
      return readFileSync(join(this.folder, 'kdc.log'), 'utf8')
    } catch {
      return ''
    }
  }

  #removeFolder(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}
