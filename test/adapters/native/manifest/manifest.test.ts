import { describe, expect, it } from 'vitest'
import { Manifest } from '../../../../adapters/native/manifest/manifest.ts'
import type { ManifestEdit } from '../../../../adapters/native/manifest/manifest-edit.ts'
import { encodeRecord, MANIFEST_MAGIC } from '../../../../adapters/native/manifest/manifest-file.ts'
import type { NativeLog } from '../../../../adapters/native/platform/native-log.ts'
import { encodeLogHeader } from '../../../../adapters/native/wal/wal-format.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { documentedBytes } from '../hexdump.ts'

const PATH = '/s/manifest'
const COPY = '/s/manifest.copy'

function namespace(name: string): ManifestEdit {
  return { kind: 'namespace', name, properties: [['owner', name]] }
}

interface Opened {
  readonly manifest: Manifest
  readonly edits: ManifestEdit[]
  /** The messages at level error. */
  readonly errors: string[]
}

async function open(fileSystem: CrashableFileSystem): Promise<Opened> {
  const errors: string[] = []
  const log: NativeLog = (level, message) => void (level === 'error' && errors.push(message))
  const manifest = new Manifest(fileSystem, '/s', log)
  const edits: ManifestEdit[] = []
  await manifest.open(
    (edit) => edits.push(edit),
    () => edits,
  )
  return { manifest, edits, errors }
}

/** Both files of a manifest with the edits `a` and `b`, and where `b` begins. */
async function written(): Promise<{ fileSystem: CrashableFileSystem; whole: Buffer; lastEdit: number }> {
  const fileSystem = new CrashableFileSystem()
  const { manifest } = await open(fileSystem)
  await manifest.append(namespace('a'), NO_EDITS)
  const lastEdit = fileSystem.bytesOf(PATH).length
  await manifest.append(namespace('b'), NO_EDITS)
  const whole = Buffer.from(fileSystem.bytesOf(PATH))
  expect(fileSystem.bytesOf(COPY).equals(whole)).toBe(true)
  return { fileSystem, whole, lastEdit }
}

const NO_EDITS = (): ManifestEdit[] => []

/** A record with a right checksum. */
function recordOf(value: unknown): Buffer {
  return encodeRecord(value as ManifestEdit)
}

const REGION = { number: 3, regionId: 5, startKey: EMPTY, endKey: EMPTY, flushedSequenceId: 1, files: [] }
const TABLE = { name: 't', attributes: [['a', 'b']], state: 'ENABLED', families: [], regions: [REGION] }

describe('the manifest', () => {
  it.each([
    [7],
    [{ number: 7 }],
    [{ kind: 'constructor' }],
    [{ kind: 'of a later version' }],
    [{ kind: 'cluster' }],
    [{ kind: 'discarded', files: [1, '2'] }],
    [{ kind: 'table', table: { ...TABLE, attributes: [['a']] } }],
    [{ kind: 'table', table: { ...TABLE, state: 'ON' } }],
    [{ kind: 'table', table: { ...TABLE, regions: [{ ...REGION, startKey: 'a' }] } }],
    [{ kind: 'flush', region: 3, flushedSequenceId: -1, files: [] }],
    [{ kind: 'snapshot', snapshot: { name: 's', number: 1, table: TABLE, type: 'FLUSH' } }],
  ])('%j with a right checksum is damage, which the other file makes good', async (forged) => {
    const { fileSystem, whole } = await written()
    const both = Buffer.concat([whole, recordOf(forged)])
    fileSystem.replace(PATH, both)
    fileSystem.replace(COPY, both)
    await expect(open(fileSystem.killed())).rejects.toMatchObject({
      code: 'CORRUPTION',
      message: `manifest ${PATH} is damaged at byte ${whole.length}: a record is no edit`,
    })
    const sound = recordOf({ kind: 'table', table: TABLE })
    fileSystem.replace(COPY, Buffer.concat([whole, sound]))
    const { edits, errors } = await open(fileSystem.killed())
    expect([edits.length, errors.length]).toEqual([3, 1])
  })

  it('gives back its edits after a power loss, bytes and large numbers exact', async () => {
    const fileSystem = new CrashableFileSystem()
    const { manifest } = await open(fileSystem)
    const flush: ManifestEdit = {
      kind: 'flush',
      region: 7,
      flushedSequenceId: 2 ** 52 + 1,
      files: [{ number: 9, family: Buffer.from([0xff, 0, 0x80]), maxSequenceId: 2 ** 40 }],
    }
    await manifest.append(namespace('a'), NO_EDITS)
    await manifest.append(flush, NO_EDITS)
    const { edits } = await open(fileSystem.powerLost(() => 0))
    expect(edits).toEqual([namespace('a'), flush])
  })

  it('cuts off an edit that was not finished, wherever it ends', async () => {
    const { fileSystem, whole, lastEdit } = await written()
    for (let length = lastEdit; length < whole.length; length++) {
      for (const [first, second] of [
        [length, lastEdit],
        [whole.length, length],
      ] as const) {
        const torn = fileSystem.killed()
        torn.replace(PATH, whole.subarray(0, first))
        torn.replace(COPY, whole.subarray(0, second))
        const again = await open(torn)
        const expected = first === whole.length ? [namespace('a'), namespace('b')] : [namespace('a')]
        expect(again.edits).toEqual(expected)
        expect(again.errors).toEqual([])
        await again.manifest.append(namespace('c'), NO_EDITS)
        expect((await open(torn.killed())).edits).toEqual([...expected, namespace('c')])
      }
    }
  })

  it('loses nothing where one of its files is damaged, cut or missing, and says so', async () => {
    const { fileSystem, whole, lastEdit } = await written()
    for (const path of [PATH, COPY]) {
      for (let at = 0; at < whole.length; at++) {
        const flipped = fileSystem.killed()
        const bytes = Buffer.from(whole)
        bytes[at]! ^= 0x41
        flipped.replace(path, bytes)
        const { edits, errors } = await open(flipped)
        expect(edits, `${path} ${at}`).toEqual([namespace('a'), namespace('b')])
        // A copy whose last length is wrong looks like one that a crash has cut; the manifest has the edit.
        if (path === COPY && at >= lastEdit && at < lastEdit + 4) continue
        expect(errors, `${path} ${at}`).toEqual([
          expect.stringContaining(`manifest ${path} is damaged at byte`),
        ])
        expect(flipped.paths()).toContain(path.replace('/s/', '/s/lost+found/'))
        expect((await open(flipped.killed())).errors).toEqual([])
      }
    }
    for (let length = 0; length < whole.length; length++) {
      const cut = fileSystem.killed()
      cut.replace(PATH, whole.subarray(0, length))
      const { edits, errors } = await open(cut)
      expect(edits).toEqual([namespace('a'), namespace('b')])
      expect(errors, String(length)).toEqual([expect.stringContaining(`manifest ${PATH} is damaged at byte`)])
    }
    for (const path of [PATH, COPY]) {
      const lost = fileSystem.killed()
      lost.remove(path)
      lost.replace('/s/wal/0000000001.log', encodeLogHeader(1))
      const { edits, errors } = await open(lost)
      expect(edits).toEqual([namespace('a'), namespace('b')])
      expect(errors).toEqual([expect.stringContaining(`${path} is missing`)])
    }
  })

  it('is refused where both files are damaged, or are no manifests', async () => {
    const { fileSystem, whole, lastEdit } = await written()
    for (const at of [0, 8, 12, 20, lastEdit, whole.length - 1]) {
      const damaged = fileSystem.killed()
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 1
      damaged.replace(PATH, bytes)
      damaged.replace(COPY, bytes)
      await expect(open(damaged), String(at)).rejects.toMatchObject({
        code: 'CORRUPTION',
        detail: { path: PATH, offset: at === 0 ? 0 : at < lastEdit ? 8 : lastEdit },
      })
      damaged.remove(COPY)
      if (at > 20) await expect(open(damaged)).rejects.toMatchObject({ code: 'CORRUPTION' })
    }
  })

  it('of the time before the copy is read as it was, and gets one', async () => {
    const fileSystem = new CrashableFileSystem()
    const old = Buffer.concat([MANIFEST_MAGIC, encodeRecord(namespace('a')), encodeRecord(namespace('b'))])
    fileSystem.replace(PATH, old.subarray(0, old.length - 3))
    const { edits, errors } = await open(fileSystem)
    expect(edits).toEqual([namespace('a')])
    expect(errors).toEqual([])
    fileSystem.remove(PATH)
    expect((await open(fileSystem)).edits).toEqual([namespace('a')])
    // The older version comes back, writes the file anew and knows nothing of the copy.
    fileSystem.replace(PATH, old)
    expect((await open(fileSystem)).edits).toEqual([namespace('a'), namespace('b')])
  })

  it('survives a power loss at any moment of a rewrite', async () => {
    const { fileSystem } = await written()
    for (const [first, second] of [
      [PATH, COPY],
      [COPY, PATH],
    ] as const) {
      const half = fileSystem.killed()
      const before = Buffer.from(half.bytesOf(first))
      half.remove(second)
      await open(half)
      half.replace(first, before)
      const { edits, errors } = await open(half)
      expect(edits).toEqual([namespace('a'), namespace('b')])
      expect(errors).toEqual([])
    }
  })

  it('takes a failed append back, so that the next one counts', async () => {
    const fileSystem = new CrashableFileSystem()
    const { manifest } = await open(fileSystem)
    await manifest.append(namespace('a'), NO_EDITS)
    for (const after of [0, 1]) {
      fileSystem.failAppends({ after, writtenBytes: 11 })
      await expect(manifest.append(namespace('lost'), NO_EDITS)).rejects.toMatchObject({ code: 'IO' })
      fileSystem.repair()
    }
    await manifest.append(namespace('b'), NO_EDITS)
    const { edits, errors } = await open(fileSystem.powerLost(() => 0.999))
    expect(edits).toEqual([namespace('a'), namespace('b')])
    expect(errors).toEqual([])
  })

  it('is rewritten at a start when it has become long', async () => {
    const fileSystem = new CrashableFileSystem()
    const { manifest } = await open(fileSystem)
    const edit = namespace('a'.repeat(1000))
    for (let i = 0; i < 140; i++) await manifest.append(edit, NO_EDITS)
    const long = fileSystem.bytesOf(PATH).length
    const rewritten = new Manifest(fileSystem, '/s', () => undefined)
    await rewritten.open(
      () => undefined,
      () => [namespace('sum')],
    )
    await rewritten.append(namespace('next'), NO_EDITS)
    expect(fileSystem.bytesOf(PATH).length).toBeLessThan(long / 100)
    expect((await open(fileSystem.powerLost(() => 0))).edits).toEqual([namespace('sum'), namespace('next')])
  })

  it('is read as docs/formats.md shows', async () => {
    const fileSystem = new CrashableFileSystem()
    fileSystem.replace(PATH, documentedBytes('manifest'))
    const { edits } = await open(fileSystem)
    expect(edits).toEqual([
      { kind: 'cluster', id: '7f3c1a52-0b9d-4e66-9c1f-2d84a0e5b317' },
      { kind: 'namespace', name: 'cow_prod', properties: [['owner', 'dairy']] },
    ])
  })
})
