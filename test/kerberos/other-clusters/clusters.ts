/** Secured clusters of one suite each, with Tidegate in front of them as the cluster's superuser. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../../harness/child-server.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { type SecuredHBaseOptions, startSecuredHBase } from '../../harness/kerberos/secured-hbase.ts'
import type { RealHBase } from '../../harness/real-hbase/real-hbase.ts'
import { defaultsBeside, FREE_PORTS, MAIN } from '../../harness/tidegate-process.ts'

export const START_MS_MAX = 400_000

export interface Written {
  readonly row: string
  readonly value: string
}

export class OtherCluster {
  readonly kdc: Kdc
  readonly hbase: RealHBase
  readonly folder: string
  readonly #servers: ChildServer[] = []

  private constructor(kdc: Kdc, hbase: RealHBase) {
    this.kdc = kdc
    this.hbase = hbase
    this.folder = mkdtempSync(join(tmpdir(), 'other-cluster-'))
  }

  static async start(options: SecuredHBaseOptions): Promise<OtherCluster> {
    const kdc = await Kdc.start()
    try {
      return new OtherCluster(kdc, await startSecuredHBase(kdc, { gateways: false, ...options }))
    } catch (error) {
      await kdc.close()
      throw error
    }
  }

  /** Starts Tidegate; the URL of its REST. */
  async serve(...args: readonly string[]): Promise<string> {
    const { kdc } = this
    const keytab = join(kdc.folder, 'hbase.localhost.keytab')
    const login = ['--kerberos-principal', `hbase/localhost@${kdc.realm}`, '--kerberos-keytab', keytab]
    const store = ['--store', `hbase:localhost:${this.hbase.ports.zookeeper}/hbase`]
    const defaults = defaultsBeside(args, [...FREE_PORTS, '--log-level', 'error', ...login])
    const server = await ChildServer.start(MAIN, ['serve', ...store, ...defaults, ...args], 'inherit', {
      environment: kdc.environment,
    })
    this.#servers.push(server)
    return `http://127.0.0.1:${server.port('rest')}`
  }

  /** Ends the servers of Tidegate. */
  async stopServing(): Promise<void> {
    for (const server of this.#servers.splice(0)) await server.stop()
  }

  async stop(): Promise<void> {
    await this.stopServing()
    await this.hbase.stop()
    await this.kdc.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const OCTETS = { 'Content-Type': 'application/octet-stream', Accept: 'application/octet-stream' }

/** The text of the answer; rejects where the status is another than `status`. */
async function asked(url: string, status: number, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, init)
  const body = await answer.text()
  if (answer.status !== status) throw new Error(`${url}: ${answer.status} ${body}`)
  return body
}

/** With the family f. */
export async function createTable(rest: string, table: string): Promise<void> {
  const body = JSON.stringify({ ColumnSchema: [{ name: 'f' }] })
  await asked(`${rest}/${table}/schema`, 201, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
}

export async function put(rest: string, table: string, { row, value }: Written): Promise<void> {
  await asked(`${rest}/${table}/${row}/f:q`, 200, { method: 'PUT', headers: OCTETS, body: value })
}

export async function get(rest: string, table: string, row: string): Promise<string> {
  return await asked(`${rest}/${table}/${row}/f:q`, 200, { headers: OCTETS })
}

/** The keys of all rows. */
export async function scan(rest: string, table: string): Promise<string[]> {
  const body = await asked(`${rest}/${table}/*`, 200, { headers: { Accept: 'application/json' } })
  const { Row: rows } = JSON.parse(body) as { readonly Row: readonly { readonly key: string }[] }
  return rows.map(({ key }) => Buffer.from(key, 'base64').toString())
}
