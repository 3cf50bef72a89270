import { describe, expect, it } from 'vitest'
import { Manifest } from '../../../../adapters/native/catalog/manifest.ts'
import type { ManifestEdit } from '../../../../adapters/native/catalog/manifest-edit.ts'
import { documentedBytes } from '../hexdump.ts'
import { CrashableFileSystem } from '../platform/crashable-file-system.ts'

const PATH = '/s/manifest'

function namespace(name: string): ManifestEdit {
  return { kind: 'namespace', name, properties: [['owner', name]] }
}

async function open(fileSystem: CrashableFileSystem): Promise<{ manifest: Manifest; edits: ManifestEdit[] }> {
  const manifest = new Manifest(fileSystem, '/s')
  const edits: ManifestEdit[] = []
  await manifest.open(
    (edit) => edits.push(edit),
    () => edits,
  )
  return { manifest, edits }
}

describe('the manifest', () => {
  it('gives back its edits after a power loss, bytes and large numbers exact', async () => {
    const fileSystem = new CrashableFileSystem()
    const { manifest } = await open(fileSystem)
    const flush: ManifestEdit = {
      kind: 'flush',
      region: 7,
      flushedSequenceId: 2 ** 52 + 1,
      files: [{ number: 9, family: Buffer.from([0xff, 0, 0x80]), maxSequenceId: 2 ** 40 }],
    }
    await manifest.append(namespace('a'))
    await manifest.append(flush)
    const { edits } = await open(fileSystem.powerLost(() => 0))
    expect(edits).toEqual([namespace('a'), flush])
  })

  it('cuts off an edit that was not finished, wherever it ends', async () => {
    const fileSystem = new CrashableFileSystem()
    const { manifest } = await open(fileSystem)
    await manifest.append(namespace('a'))
    const firstEnd = fileSystem.bytesOf(PATH).length
    await manifest.append(namespace('b'))
    const whole = Buffer.from(fileSystem.bytesOf(PATH))
    for (let length = firstEnd; length < whole.length; length++) {
      const torn = fileSystem.killed()
      torn.replace(PATH, whole.subarray(0, length))
      const again = await open(torn)
      expect(again.edits).toEqual([namespace('a')])
      await again.manifest.append(namespace('c'))
      expect((await open(torn.killed())).edits).toEqual([namespace('a'), namespace('c')])
    }
  })

  it('refuses damage before a whole edit, and what is no manifest', async () => {
    const fileSystem = new CrashableFileSystem()
    const { manifest } = await open(fileSystem)
    await manifest.append(namespace('a'))
    await manifest.append(namespace('b'))
    for (const at of [0, 8, 12, 20]) {
      const damaged = fileSystem.killed()
      const bytes = Buffer.from(fileSystem.bytesOf(PATH))
      bytes[at]! ^= 1
      damaged.replace(PATH, bytes)
      await expect(open(damaged)).rejects.toMatchObject({
        code: 'CORRUPTION',
        detail: { path: PATH, offset: at === 0 ? 0 : 8 },
      })
    }
  })

  it('takes a failed append back, so that the next one counts', async () => {
    const fileSystem = new CrashableFileSystem()
    const { manifest } = await open(fileSystem)
    await manifest.append(namespace('a'))
    fileSystem.failAppends({ after: 0, writtenBytes: 11 })
    await expect(manifest.append(namespace('lost'))).rejects.toMatchObject({ code: 'IO' })
    fileSystem.repair()
    await manifest.append(namespace('b'))
    expect((await open(fileSystem.killed())).edits).toEqual([namespace('a'), namespace('b')])
  })

  it('is rewritten when it has become long', async () => {
    const fileSystem = new CrashableFileSystem()
    const { manifest } = await open(fileSystem)
    for (let i = 0; i <= 1000; i++) await manifest.append(namespace('a'))
    const long = fileSystem.bytesOf(PATH).length
    const rewritten = new Manifest(fileSystem, '/s')
    await rewritten.open(
      () => undefined,
      () => [namespace('sum')],
    )
    await rewritten.append(namespace('next'))
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
