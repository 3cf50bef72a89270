/**
 * Where a call's time goes: `npm run bench:instructions`. For each workload, the instructions that a call takes of the server, its part of the
 * operating system included, beside those of a server that answers the same number of constant bytes. What is not the constant
 * server's is Tidegate's own: it says how much faster it could become on Node at most.
 *
 * Needs `perf`. Instructions do not depend on what else the machine does, once V8 has compiled both.
 */

import { fileURLToPath } from 'node:url'
import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, closedLoop, isWholeFrame, type LoopOptions } from '../test/harness/closed-loop.ts'
import { inTemporaryFolder, startTidegate } from '../test/harness/tidegate-process.ts'
import { fillTable, writesOf } from './bench-table.ts'
import { thriftPuts } from './gateway-requests.ts'
import { thriftGetRequests } from './get-requests.ts'
import { countInstructions } from './instructions.ts'
import { fillRpcTable, PREFACE, RPC_WORKLOADS } from './rpc-requests.ts'

const RAW = fileURLToPath(new URL('peers/raw-server.js', import.meta.url))
const CONNECTIONS = 16
const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 3000)
const ROUNDS_MAX = 12
/** A round that costs less than this part of the one before says that V8 is still at it. */
const STEADY_PART = 0.97

interface Workload extends Pick<LoopOptions, 'requests' | 'preface'> {
  readonly name: string
  readonly port: number
}

async function instructionsOf(
  pid: number | undefined,
  options: Omit<LoopOptions, 'durationMs' | 'connections' | 'answerBytes'>,
): Promise<number> {
  const loop = { ...options, answerBytes: 'framed', connections: CONNECTIONS, durationMs: ROUND_MS } as const
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const counter = await countInstructions(pid)
    const { calls } = await closedLoop(loop)
    const cost = (await counter.stop()) / calls
    if (Number.isNaN(cost)) throw new Error('no instructions are counted: is perf there, and may it count?')
    if (cost > least * STEADY_PART) return Math.min(cost, least)
    least = cost
  }
  return least
}

/** Of a server that answers as many bytes. */
async function ofConstantAnswers({ port, requests, preface }: Workload): Promise<number> {
  const first = Buffer.concat([...(preface === undefined ? [] : [preface.bytes]), requests[0]!])
  const { length } = await askOnce(port, first, isWholeFrame)
  const raw = await ChildServer.start(RAW, [String(length - 4)])
  try {
    return await instructionsOf(raw.pid, { port: raw.port('port'), requests })
  } finally {
    await raw.stop()
  }
}

async function workloads(server: ChildServer): Promise<Workload[]> {
  const [rpc, thrift] = [server.port('rpc'), server.port('thrift')]
  const region = await fillRpcTable(rpc)
  const table = await fillTable(thrift, 'thrift')
  return [
    ...RPC_WORKLOADS.map(({ name, requestsOf }) => ({
      name: `native RPC ${name}`,
      port: rpc,
      requests: requestsOf(region),
      preface: PREFACE,
    })),
    { name: 'Thrift getRow', port: thrift, requests: thriftGetRequests(table) },
    { name: 'Thrift mutateRow', port: thrift, requests: thriftPuts(table) },
    { name: 'Thrift mutateRows of 500', port: thrift, requests: writesOf(table) },
  ]
}

await inTemporaryFolder(async (folder) => {
  const server = await startTidegate(`native:${folder}/store`)
  try {
    process.stdout.write(
      '| workload | k instructions a call | of constant answers | times those |\n| --- | ---: | ---: | ---: |\n',
    )
    for (const workload of await workloads(server)) {
      const own = await instructionsOf(server.pid, workload)
      const constant = await ofConstantAnswers(workload)
      const shown = [own, constant].map((each) => (each / 1000).toFixed(0))
      process.stdout.write(`| ${workload.name} | ${shown.join(' | ')} | ${(own / constant).toFixed(2)}x |\n`)
    }
  } finally {
    await server.stop()
  }
})
