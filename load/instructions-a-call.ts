/**
 * Where a call's time goes: `npm run bench:instructions`. For each workload, the instructions that a call takes of the server, its part of the
 * operating system included, beside those of a server that answers the same number of constant bytes. What is not the constant
 * server's is Tidegate's own: it says how much faster it could become on Node at most.
 *
 * `perf` counts the instructions, which do not depend on what else the machine does, once V8 has compiled both. Where it counts none, as in many
 * virtual machines, the figures are the processor time of a call: of the thread that runs the event loop, and of all others. Rounds of both
 * servers alternate then, and the least round of each counts.
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
import { type ThreadTime, threadTime } from './thread-time.ts'

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

/** A server, and the frames that it is sent. */
interface Asked extends Pick<LoopOptions, 'requests' | 'preface' | 'port'> {
  readonly pid: number
}

async function calls({ port, requests, preface }: Asked): Promise<number> {
  const asked = { port, requests, preface }
  const loop = { ...asked, answerBytes: 'framed', connections: CONNECTIONS, durationMs: ROUND_MS } as const
  return (await closedLoop(loop)).calls
}

async function instructionsOf(asked: Asked): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const counter = await countInstructions(asked.pid)
    const made = await calls(asked)
    const cost = (await counter.stop()) / made
    if (cost > least * STEADY_PART) return Math.min(cost, least)
    least = cost
  }
  return least
}

/** Microseconds of a call. */
async function timeOf(asked: Asked): Promise<ThreadTime> {
  const before = threadTime(asked.pid)
  const made = await calls(asked)
  const after = threadTime(asked.pid)
  return { main: (after.main - before.main) / made, others: (after.others - before.others) / made }
}

function leastOf(rounds: readonly ThreadTime[]): ThreadTime {
  return rounds.reduce((least, round) =>
    round.main + round.others < least.main + least.others ? round : least,
  )
}

async function timesOf(own: Asked, constant: Asked): Promise<string[]> {
  const rounds: [ThreadTime, ThreadTime][] = []
  for (let round = 0; round < ROUNDS_MAX; round++) rounds.push([await timeOf(own), await timeOf(constant)])
  // V8 is still compiling in the first ones.
  const compiled = rounds.slice(ROUNDS_MAX / 4)
  const [ofOwn, ofConstant] = [
    leastOf(compiled.map(([each]) => each)),
    leastOf(compiled.map(([, each]) => each)),
  ]
  const [ownMicros, constantMicros] = [ofOwn, ofConstant].map(({ main, others }) => main + others) as [
    number,
    number,
  ]
  const shown = [ofOwn.main, ofOwn.others, constantMicros].map((micros) => micros.toFixed(1))
  return [...shown, `${(ownMicros / constantMicros).toFixed(2)}x`]
}

async function countsOf(own: Asked, constant: Asked): Promise<string[]> {
  const [ofOwn, ofConstant] = [await instructionsOf(own), await instructionsOf(constant)]
  const shown = [ofOwn, ofConstant].map((count) => (count / 1000).toFixed(0))
  return [...shown, `${(ofOwn / ofConstant).toFixed(2)}x`]
}

/** Starts a server whose answers have as many bytes, and measures both. */
async function besideConstantAnswers(
  { port, requests, preface }: Workload,
  pid: number,
  costs: (own: Asked, constant: Asked) => Promise<string[]>,
): Promise<string[]> {
  const first = Buffer.concat([...(preface === undefined ? [] : [preface.bytes]), requests[0]!])
  const { length } = await askOnce(port, first, isWholeFrame)
  const raw = await ChildServer.start(RAW, [String(length - 4)])
  try {
    return await costs({ pid, port, requests, preface }, { pid: raw.pid!, port: raw.port('port'), requests })
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

function tableHead(titles: readonly string[]): string {
  return `| ${titles.join(' | ')} |\n| --- |${' ---: |'.repeat(titles.length - 1)}\n`
}

await inTemporaryFolder(async (folder) => {
  const server = await startTidegate(`native:${folder}/store`)
  try {
    const pid = server.pid!
    const counts = !Number.isNaN(await (await countInstructions(pid)).stop())
    if (!counts) process.stdout.write('perf counts no instructions here: processor time of a call\n\n')
    const titles = counts
      ? ['workload', 'k instructions a call', 'of constant answers', 'times those']
      : ['workload', 'us a call: event loop', 'other threads', 'of constant answers', 'times those']
    process.stdout.write(tableHead(titles))
    for (const workload of await workloads(server)) {
      const cells = await besideConstantAnswers(workload, pid, counts ? countsOf : timesOf)
      process.stdout.write(`| ${workload.name} | ${cells.join(' | ')} |\n`)
    }
  } finally {
    await server.stop()
  }
})
