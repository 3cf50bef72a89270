/**
 * The conformance suite, live: `npm run conformance -- --target real|native|memory|remote [--only PATTERN]`;
 * `remote` is Tidegate in front of a real HBase. With TIDEGATE_THREADS=N it has threads, which serve the connections of Thrift and native RPC.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { runConformance } from '../conformance/src/command.ts'
import type { Target } from '../conformance/src/runner/exchange.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { mainKeptBusy } from '../test/harness/idle-connection.ts'
import { realHBaseTarget } from '../test/harness/real-hbase/target.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const TIMEOUT_MS = 60_000

interface Running {
  readonly target: Target
  stop(): Promise<void>
}

async function nativeTarget(): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-conformance-'))
  const removeDirectory = async (): Promise<void> => rmSync(directory, { recursive: true, force: true })
  return tidegateTarget(`native:${directory}`, removeDirectory)
}

async function remoteTarget(): Promise<Running> {
  const real = await realHBaseTarget()
  try {
    return await tidegateTarget(`hbase:${real.quorum}`, () => real.stop())
  } catch (error) {
    await real.stop()
    throw error
  }
}

async function tidegateTarget(store: string, cleanUp: () => Promise<void>): Promise<Running> {
  const doors = ['--rest', '0', '--thrift', '0', '--rpc', '0', '--zookeeper', 'off', '--web', 'off']
  const args = ['serve', '--store', store, ...doors, '--log-level', 'error']
  const server = await ChildServer.start(SERVE, args)
  const idle = await mainKeptBusy(server, 'thrift')
  const thrift = { host: '127.0.0.1', port: server.port('thrift') }
  const own = { host: '127.0.0.1', port: server.port('rpc') }
  const rpc = { regionServer: own, master: own }
  return {
    target: { rest: `http://127.0.0.1:${server.port('rest')}`, thrift1: thrift, thrift2: thrift, rpc },
    stop: async () => {
      idle?.close()
      await server.stop()
      await cleanUp()
    },
  }
}

const TARGETS: Readonly<Record<string, () => Promise<Running>>> = {
  real: realHBaseTarget,
  native: nativeTarget,
  memory: () => tidegateTarget('memory', async () => undefined),
  remote: remoteTarget,
}

async function main(): Promise<void> {
  const { target: kind, only } = new Command('conformance')
    .addOption(new Option('--target <target>').choices(Object.keys(TARGETS)).makeOptionMandatory())
    .option('--only <pattern>')
    .parse()
    .opts<{ target: string; only?: string }>()
  const running = await TARGETS[kind]!()
  try {
    const { rest, thrift1, thrift2, rpc } = running.target
    const pattern = only === undefined ? {} : { only: new RegExp(only) }
    const native = rpc === undefined ? {} : { rpc: rpc.regionServer, rpcMaster: rpc.master }
    const flags = { rest, thrift: thrift1, thrift2, timeoutMs: TIMEOUT_MS, ...native, ...pattern }
    const passed = await runConformance(flags, (line) => process.stdout.write(`${line}\n`))
    process.exitCode = passed ? 0 : 1
  } finally {
    await running.stop()
  }
}

await main()
