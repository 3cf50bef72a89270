/** The same calls on a real HBase and on Tidegate, both Thrift services, answers compared. */

import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { type ThriftConnection, thriftPackage } from '../../clients/thrift-package.ts'
import { type StubClient, type ThriftStubs, thriftStubs } from '../../clients/thrift-stubs.ts'
import { answerText, prepared, type ThriftCall } from './thrift-call.ts'
import { THRIFT1_CALLS, THRIFT1_TABLES } from './thrift1-calls.ts'
import { THRIFT2_CALLS, THRIFT2_TABLES } from './thrift2-calls.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export interface ThriftComparison {
  readonly passed: number
  /** A line each: the call, HBase's answer, Tidegate's. */
  readonly failures: string[]
  /** Answers that are not HBase's on purpose, by the reason. */
  readonly deliberate: ReadonlyMap<string, number>
}

const CALL_TIMEOUT_MS = 30_000

/** A service with the calls that it is asked. */
interface Suite {
  readonly stubs: ThriftStubs
  readonly calls: readonly ThriftCall[]
  /** What the service's disableTable and deleteTable take, for each table that the calls may leave behind. */
  readonly tables: readonly unknown[]
}

export type SuiteName = 'thrift1' | 'thrift2'

const SUITES: Readonly<Record<SuiteName, Suite>> = {
  thrift1: {
    stubs: thriftStubs(loadSchema('thrift1'), 'Hbase'),
    calls: THRIFT1_CALLS,
    tables: THRIFT1_TABLES,
  },
  thrift2: {
    stubs: thriftStubs(loadSchema('thrift2'), 'THBaseService'),
    calls: THRIFT2_CALLS,
    tables: THRIFT2_TABLES.map((qualifier) => ({ qualifier })),
  },
}

/** Runs all calls on both. Makes and drops tables whose names begin with `thriftcmp`. */
export async function compareThrift(
  real: Readonly<Record<SuiteName, Address>>,
  tidegate: Address,
): Promise<ThriftComparison> {
  const comparisons: ThriftComparison[] = []
  for (const suite of ['thrift1', 'thrift2'] as const) {
    const [expected, answers] = await Promise.all([
      answersTo(suite, real[suite], false),
      answersTo(suite, tidegate, true),
    ])
    comparisons.push(compareAnswers(suite, expected, answers))
  }
  return {
    passed: comparisons.reduce((sum, { passed }) => sum + passed, 0),
    failures: comparisons.flatMap(({ failures }) => failures),
    deliberate: new Map(comparisons.flatMap(({ deliberate }) => [...deliberate])),
  }
}

/** The answers of HBase and of Tidegate to the calls of a suite. */
export function compareAnswers(
  suite: SuiteName,
  expected: readonly string[],
  answers: readonly string[],
): ThriftComparison {
  const failures: string[] = []
  const deliberate = new Map<string, number>()
  let passed = 0
  for (const [index, { method, args, differs }] of SUITES[suite].calls.entries()) {
    const wanted = differs?.answer ?? expected[index]!
    const answer = answers[index]!
    const call = `${suite} ${method}(${args.map((each) => answerText(each)).join(', ')})`
    if (answer === wanted) passed++
    else failures.push(`${call}\n  ${wanted}\n  ${answer}`)
    if (differs === undefined) continue
    const why = `${suite}: ${differs.why}`
    deliberate.set(why, (deliberate.get(why) ?? 0) + 1)
    if (expected[index] === differs.answer) failures.push(`${call}\n  is marked as different, and is not`)
  }
  return { passed, failures, deliberate }
}

/** Asks a server all calls of a suite, one after the other; the answers as text. */
export async function answersTo(suite: SuiteName, address: Address, isTidegate: boolean): Promise<string[]> {
  const { stubs, calls, tables } = SUITES[suite]
  const connection = connect(address)
  const client = thriftPackage.createClient(stubs, connection) as StubClient
  const answers: string[] = []
  let scanner = -1
  try {
    await drop(client, tables)
    for (const { method, args, tidegateOnly } of calls) {
      if (tidegateOnly === true && !isTidegate) {
        answers.push('not asked')
        continue
      }
      const answer = await answerOf(client[method]!(...args.map((each) => prepared(each, scanner))))
      if (/^(scannerOpen|openScanner)/.test(method) && typeof answer === 'number') {
        scanner = answer
        answers.push('a scanner')
      } else answers.push(answerText(answer))
    }
    await drop(client, tables)
  } finally {
    connection.destroy()
  }
  return answers
}

function connect({ host, port }: Address): ThriftConnection {
  const connection = thriftPackage.createConnection(host, port, {
    transport: thriftPackage.TBufferedTransport,
    protocol: thriftPackage.TBinaryProtocol,
  })
  connection.on('error', () => {})
  return connection
}

/** What a call came to: its result, or its error. */
async function answerOf(call: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(() => resolve('no answer in time'), CALL_TIMEOUT_MS)
  })
  try {
    return await Promise.race([call, timeout])
  } catch (error) {
    return error
  } finally {
    clearTimeout(timer)
  }
}

async function drop(client: StubClient, tables: readonly unknown[]): Promise<void> {
  for (const table of tables) {
    for (const method of ['disableTable', 'deleteTable']) await answerOf(client[method]!(table))
  }
}
