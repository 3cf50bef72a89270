import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CellSource,
  type FileJob,
  JobCancelled,
  type JobControl,
  type JobRunner,
  type SourceFile,
} from '../../../../adapters/native/background/file-job.ts'
import { InProcessRunner } from '../../../../adapters/native/background/in-process-runner.ts'
import { JobFigures } from '../../../../adapters/native/background/job-figures.ts'
import { Pacer } from '../../../../adapters/native/background/pacer.ts'
import { WorkerRunner } from '../../../../adapters/native/background/worker-runner.ts'
import { LruBlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import { openHFile } from '../../../../adapters/native/hfile/hfile.ts'
import { UNFINISHED } from '../../../../adapters/native/layout/region-directory.ts'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import { NODE_FILE_SYSTEM } from '../../../../adapters/native/platform/node-file-system.ts'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { CellType, cellLength } from '../../../../src/model/cell.ts'
import { CellBlockBuilder } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { packageRoot } from '../../../../src/package-root.ts'

const FAMILY = familyDescriptor('f', [
  ['COMPRESSION', 'GZ'],
  ['VERSIONS', '2'],
])
const FOREVER: JobControl = { isCancelled: () => false }

let directory: string
let logged: string[]
let runners: JobRunner[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidegate-worker-'))
  mkdirSync(join(directory, 'data'))
  logged = []
  runners = []
})

afterEach(async () => {
  for (const runner of runners) await runner.close()
  rmSync(directory, { recursive: true })
})

function ownThread(): InProcessRunner {
  return new InProcessRunner(NODE_FILE_SYSTEM, new Pacer(() => 0))
}

function sourceFile(name: string): SourceFile {
  const options = { fileId: 1, blockCache: new LruBlockCache(0) }
  const hfile = openHFile(NODE_FILE_SYSTEM.open(path(name), 'read'), options)
  hfile.close()
  return { path: path(name), number: 1, identity: hfile.identity }
}

const log = (level: string, message: string): void => void logged.push(`${level}: ${message}`)

function newRunner(program?: string, own: JobRunner = ownThread()): WorkerRunner {
  let url: URL | undefined
  if (program !== undefined) {
    writeFileSync(join(directory, 'program.mjs'), program)
    url = pathToFileURL(join(directory, 'program.mjs'))
  }
  const parts = { threadsMax: 1, ownThread: own, log }
  const runner = new WorkerRunner(url === undefined ? parts : { ...parts, program: url })
  runners.push(runner)
  return runner
}

function path(name: string): string {
  return join(directory, 'data', name)
}

function job(name: string, more: Partial<FileJob> = {}): FileJob {
  return {
    kind: 'flush',
    outputs: [{ path: path(name), id: '1-0', since: 0n }],
    owner: { region: 'abc', family: FAMILY.name },
    family: FAMILY,
    createTime: 5,
    summary: { maxSequenceId: 9, majorCompaction: false },
    mayHaveTags: false,
    inputBytes: 1 << 20,
    retention: { kind: 'by rules', rules: familyRules(FAMILY), time: { now: 5, readPoint: Infinity } },
    ...more,
  }
}

/** Three versions of f:q in each row, of which the family keeps two. */
function memstore(rows: number): CellSource {
  const filled = new Memstore(new ChunkPool())
  const cell = new CellBlockBuilder()
  for (let i = 0; i < rows * 3; i++) {
    cell.length = 0
    // Not in order: 7919 is a prime.
    const row = Buffer.from(`row${String((i * 7919) % rows).padStart(7, '0')}`)
    const value = Buffer.from(`value ${i} `.repeat(10))
    cell.append(row, FAMILY.name, Buffer.from('q'), 0, Math.floor(i / rows) + 1, CellType.Put, value)
    filled.add(cell.buffer, 4, cellLength(cell.buffer, 4), 0, 0, i + 1)
  }
  return { kind: 'memstore', memstore: filled }
}

/** Complete files keep the names that they had before, until a manifest names them: those are left out. */
const names = (): string[] => {
  const all = readdirSync(join(directory, 'data')).sort()
  return all.filter((name) => !all.some((whole) => name === whole + UNFINISHED))
}

/** Fails where a worker should have done the work. */
const NOBODY: JobRunner = {
  figures: new JobFigures(),
  run: () => Promise.reject(new Error('this thread was to do it')),
  setCompactionRate: () => undefined,
  close: () => Promise.resolve(),
}

describe('a worker thread', () => {
  /** One for all tests: a thread takes its time to start. */
  let runner: WorkerRunner

  beforeAll(() => {
    runner = new WorkerRunner({ threadsMax: 1, ownThread: NOBODY, log })
  })

  beforeEach(() => runner.setCompactionRate(Number.POSITIVE_INFINITY))

  afterAll(() => runner.close())

  test('flushes and compacts to the same bytes as the own thread', async () => {
    const own = ownThread()
    for (const [name, writer] of [
      ['worker', runner],
      ['own', own],
    ] as const) {
      const flushed = await writer.run(job(`${name}-1`), memstore(5000), FOREVER)
      expect(flushed).toEqual({ cellsRead: 15_000, cellsWritten: 10_000, cellsOf: [10_000] })
      await writer.run(job(`${name}-2`), memstore(2000), FOREVER)
      const files = [`${name}-2`, `${name}-1`].map((file) => sourceFile(file))
      const compaction = job(`${name}-3`, { kind: 'compaction' })
      const compacted = await writer.run(compaction, { kind: 'files', files }, FOREVER)
      expect(compacted.cellsWritten).toBe(10_000)
    }
    for (const number of [1, 2, 3]) {
      expect(readFileSync(path(`worker-${number}`)).equals(readFileSync(path(`own-${number}`)))).toBe(true)
    }
    expect(names()).toHaveLength(6)
    expect(logged).toEqual([])
  })

  test('makes a file of each span of time, and none without cells', async () => {
    const outputs = [0n, 2n, 3n, 4n].map((since) => ({ path: path(`since-${since}`), id: `${since}`, since }))
    const outcome = await runner.run(
      job('', { outputs, retention: { kind: 'all' } }),
      memstore(1000),
      FOREVER,
    )
    expect(outcome.cellsOf).toEqual([1000, 1000, 1000, 0])
    expect(names()).toEqual(['since-0', 'since-2', 'since-3'])
  })

  test('tells what failed, with the system’s code, and leaves no file', async () => {
    const files = [{ path: path('missing'), number: 1, identity: '' }]
    const run = runner.run(job('new'), { kind: 'files', files }, FOREVER)
    await expect(run).rejects.toMatchObject({ code: 'ENOENT' })
    expect(names()).toEqual([])
  })

  test('tells damage with file and offset', async () => {
    await runner.run(job('1'), memstore(5000), FOREVER)
    const source: CellSource = { kind: 'files', files: [sourceFile('1')] }
    const bytes = readFileSync(path('1'))
    bytes[bytes.length >> 2]! ^= 0x40
    writeFileSync(path('1'), bytes)
    await expect(runner.run(job('2'), source, FOREVER)).rejects.toMatchObject({
      name: 'HBaseError',
      code: 'CORRUPTION',
      detail: { path: path('1') },
    })
    expect(names()).toEqual(['1'])
  })

  test('ends a compaction that nobody wants any more, however slow it is to be', async () => {
    await runner.run(job('1'), memstore(5000), FOREVER)
    runner.setCompactionRate(1)
    const source: CellSource = { kind: 'files', files: [sourceFile('1')] }
    const run = runner.run(job('2', { kind: 'compaction' }), source, { isCancelled: () => true })
    await expect(run).rejects.toBeInstanceOf(JobCancelled)
    expect(names()).toEqual(['1'])
  })

  test('flushes while a compaction takes its time', async () => {
    await runner.run(job('1'), memstore(5000), FOREVER)
    runner.setCompactionRate(1)
    const source: CellSource = { kind: 'files', files: [sourceFile('1')] }
    let isFlushed = false
    const told: number[] = []
    const control = { isCancelled: () => isFlushed, onCells: (cells: number) => told.push(cells) }
    const { figures } = runner
    const [done, cancelled] = [figures.count('flush', 'done'), figures.count('compaction', 'cancelled')]
    const run = runner.run(job('2', { kind: 'compaction' }), source, control)
    await runner.run(job('3'), memstore(1000), FOREVER)
    isFlushed = true
    await expect(run).rejects.toBeInstanceOf(JobCancelled)
    expect(Math.max(...told)).toBeGreaterThan(0)
    expect(figures.count('flush', 'done')).toBe(done + 1)
    expect(figures.count('compaction', 'cancelled')).toBe(cancelled + 1)
    expect(names()).toEqual(['1', '3'])
  })
})

const BUILT = pathToFileURL(
  join(packageRoot().pathname, 'dist/adapters/native/background/file-worker.js'),
).href

describe('a thread that ends with its work undone', () => {
  test('once: another thread does it', async () => {
    const mark = JSON.stringify(join(directory, 'died'))
    const program = `import fs from 'node:fs'
      if (fs.existsSync(${mark})) await import('${BUILT}')
      else { fs.writeFileSync(${mark}, ''); process.exit(3) }`
    const runner = newRunner(program, NOBODY)
    await runner.run(job('1'), memstore(1000), FOREVER)
    expect(names()).toEqual(['1'])
    expect(runner.figures.endedThreads).toBe(1)
    expect(logged.join()).toMatch(/error: the thread that writes store files has ended: exit code 3/)
  })

  test('with several jobs: it is counted once', async () => {
    const program = `import { parentPort } from 'node:worker_threads'
      let jobs = 0
      parentPort.on('message', ({ kind }) => {
        if (kind === 'job' && ++jobs === 2) process.exit(3)
      })`
    const runner = newRunner(program)
    await Promise.all(['1', '2'].map((name) => runner.run(job(name), memstore(1000), FOREVER)))
    expect(names()).toEqual(['1', '2'])
    expect(logged.filter((line) => line.includes('has ended'))).toHaveLength(4)
    expect(runner.figures.endedThreads).toBe(2)
  })

  test('amid a file, out of memory or with a bug: the file is begun anew', async () => {
    const program = `import { parentPort } from 'node:worker_threads'
      import fs from 'node:fs'
      parentPort.on('message', ({ job }) => {
        fs.writeFileSync(job.outputs[0].path + '.unfinished', 'half')
        throw new Error('a bug')
      })`
    const runner = newRunner(program)
    const { cellsWritten } = await runner.run(job('1'), memstore(1000), FOREVER)
    expect(cellsWritten).toBe(2000)
    expect(names()).toEqual(['1'])
    expect(runner.figures.endedThreads).toBe(2)
    expect(logged.join()).toContain('a bug')
  })

  test('before it starts: this thread does it', async () => {
    // Node throws at once for this address, as it does where the system has no more threads.
    const program = new URL('https://tidegate.test/file-worker.js')
    const runner = new WorkerRunner({ threadsMax: 1, ownThread: ownThread(), log, program })
    runners.push(runner)
    const { cellsWritten } = await runner.run(job('1'), memstore(1000), FOREVER)
    expect(cellsWritten).toBe(2000)
    expect(names()).toEqual(['1'])
    expect(runner.figures.endedThreads).toBe(2)
    expect(logged.join()).toContain('no thread that writes store files could be started')
  })
})
