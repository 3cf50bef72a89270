/** A manifest that grows in a server that runs for years. */

import { describe, expect, it } from 'vitest'
import { CatalogLog } from '../../../../adapters/native/manifest/catalog-log.ts'
import type { ManifestEdit } from '../../../../adapters/native/manifest/manifest-edit.ts'
import { readManifest } from '../../../../adapters/native/manifest/manifest-file.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

const PATHS = ['/s/manifest', '/s/manifest.copy']
const LONG_BYTES = 256 * 1024
/** Turns of the queue of promises that an edit and a rewrite after it take, and some more. */
const STEPS = 60

/** Each is larger than the sum of all, which has but the last of them. */
function change(value: string): ManifestEdit {
  return { kind: 'namespace', name: 'n', properties: [['v', value.padEnd(4000)]] }
}

interface Opened {
  readonly log: CatalogLog
  readonly fileSystem: CrashableFileSystem
  readonly discarded: ReadonlySet<number>
  readonly told: string[]
}

async function open(fileSystem: CrashableFileSystem): Promise<Opened> {
  const told: string[] = []
  const log = new CatalogLog(fileSystem, '/s', (level, message) => void told.push(`${level}: ${message}`))
  await log.open(() => 0.5)
  return { log, fileSystem, discarded: log.discarded.numbers, told }
}

const valueOf = ({ log }: Opened): string | undefined => log.catalog.namespaces.get('n')?.[0]?.[1].trim()
const lengthsOf = ({ fileSystem }: Opened): number[] => PATHS.map((path) => fileSystem.bytesOf(path).length)

/** A store whose next change makes its manifest long. */
async function almostLong(): Promise<CrashableFileSystem> {
  const opened = await open(new CrashableFileSystem())
  const { log, fileSystem } = opened
  const edit = change('before')
  const before = lengthsOf(opened)[0]!
  await log.commit(edit)
  const bytes = lengthsOf(opened)[0]! - before
  // The rewrite keeps the one last edit.
  while (lengthsOf(opened)[0]! + bytes <= LONG_BYTES + 2 * (before + bytes)) await log.commit(edit)
  await log.close()
  return fileSystem
}

describe('the manifest of a running server', () => {
  it('stays short, and so does its copy, whatever the number of edits', async () => {
    const opened = await open(new CrashableFileSystem())
    for (let i = 0; i < 300; i++) await opened.log.commit(change(String(i)))
    await opened.log.close()
    for (const length of lengthsOf(opened)) expect(length).toBeLessThan(LONG_BYTES + 20_000)
    const manifests = PATHS.map((path) => readManifest(opened.fileSystem, path)!)
    for (const { generation } of manifests) expect(generation).toBe(5)
    const again = await open(opened.fileSystem.powerLost(() => 0))
    expect(valueOf(again)).toBe('299')
    expect(again.told).toEqual([])
  })

  it('is no longer rewritten where its sum has grown as long', async () => {
    const opened = await open(new CrashableFileSystem())
    const names = Array.from({ length: 100 }, (_, i) => `n${i}`)
    for (const name of names)
      await opened.log.commit({ kind: 'namespace', name, properties: [['v', 'v'.repeat(4000)]] })
    await opened.log.close()
    expect(lengthsOf(opened)[0]).toBeGreaterThan(400_000)
    expect(readManifest(opened.fileSystem, PATHS[0]!)!.generation).toBe(1)
  })

  it('names the files that were discarded since the start, in case that they are still there', async () => {
    const dropped = { number: 7, family: Buffer.from('f'), maxSequenceId: 1 }
    const region = { regionId: 1, startKey: Buffer.alloc(0), endKey: Buffer.alloc(0), flushedSequenceId: 1 }
    const { log, fileSystem } = await open(new CrashableFileSystem())
    await log.commit({
      kind: 'table',
      table: {
        name: 't',
        attributes: [],
        state: 'ENABLED',
        families: [],
        regions: [{ ...region, number: 6, files: [dropped] }],
      },
    })
    await log.commit({ kind: 'table-gone', name: 't' })
    for (let i = 0; i < 100; i++) await log.commit(change(String(i)))
    await log.close()
    expect(readManifest(fileSystem, PATHS[0]!)!.generation).toBe(2)
    expect((await open(fileSystem.killed())).discarded).toEqual(new Set([7]))
  })

  it('stays as it is where the disk has no room for another, which is told', async () => {
    const opened = await open(await almostLong().then((base) => base.killed()))
    const { log, fileSystem, told } = opened
    // The edit goes to both files, and the draft fails.
    fileSystem.failAppends({ after: 2, writtenBytes: 100 })
    await log.commit(change('after'))
    await log.close()
    fileSystem.repair()
    expect(told).toEqual([expect.stringMatching(/^warn: the manifest could not be rewritten/)])
    expect(fileSystem.paths()).toEqual(PATHS)
    expect(readManifest(fileSystem, PATHS[0]!)!.generation).toBe(1)
    expect(valueOf(await open(fileSystem.killed()))).toBe('after')
  })

  it('takes no changes while the new file cannot be put in its place, and then again', async () => {
    const opened = await open((await almostLong()).killed())
    const { log, fileSystem } = opened
    fileSystem.failOpening = (path) => path === PATHS[0]
    await log.commit(change('after'))
    await expect(log.commit(change('refused'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(log.failure?.message).toContain('is in doubt')
    fileSystem.failOpening = () => false
    await log.commit(change('later'))
    const again = await open(fileSystem.killed())
    expect(valueOf(again)).toBe('later')
  })

  it('loses no answered change where the server dies at any moment of a rewrite', async () => {
    const base = await almostLong()
    const generations: number[] = []
    for (let steps = 0; steps < STEPS; steps++) {
      for (const kept of ['all', 0, 0.5, 0.999] as const) {
        const dying = await open(base.killed())
        let isAnswered = false
        const committed = dying.log.commit(change('after')).then(
          () => (isAnswered = true),
          () => undefined,
        )
        for (let step = 0; step < steps; step++) await Promise.resolve()
        const wasAnswered = isAnswered
        const files = dying.fileSystem
        const left = kept === 'all' ? files.killed() : files.powerLost(() => kept)
        generations.push(readManifest(left, PATHS[0]!)!.generation)
        const next = await open(left)
        expect(['before', 'after'], `${steps} ${kept}`).toContain(valueOf(next))
        if (wasAnswered) expect(valueOf(next), `${steps} ${kept}`).toBe('after')
        expect(next.told.filter((line) => line.startsWith('error'))).toEqual([])
        await next.log.commit(change('later'))
        await next.log.close()
        expect(valueOf(await open(next.fileSystem.powerLost(() => 0)))).toBe('later')
        await committed
      }
    }
    // A rewrite that has taken long lets others have their turn: no number of steps is sure to pass it.
    const whole = await open(base.killed())
    await whole.log.commit(change('after'))
    await whole.log.close()
    generations.push(readManifest(whole.fileSystem.killed(), PATHS[0]!)!.generation)
    expect(generations.at(-1)).toBe(2)
    expect(new Set(generations)).toEqual(new Set([1, 2]))
  })
})
