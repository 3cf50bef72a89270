/** Descriptors of store files: a bound on them, files that are opened again, and those that cannot be. */

import { describe, expect, it } from 'vitest'
import { type KeptFile, OpenFiles } from '../../../../adapters/native/hfile/open-files.ts'
import { CountingDisk } from '../counting-disk.ts'

const NAMES = ['/a', '/b', '/c', '/d']

function opened(max: number): { disk: CountingDisk; files: OpenFiles; kept: Map<string, KeptFile> } {
  const disk = new CountingDisk()
  for (const name of NAMES) disk.replace(name, Buffer.from(`bytes of ${name}`))
  const files = new OpenFiles(disk, max)
  return { disk, files, kept: new Map(NAMES.map((name) => [name, files.open(name)])) }
}

function textOf(file: KeptFile): string {
  const bytes = Buffer.alloc(file.size())
  return bytes.toString('latin1', 0, file.read(bytes, 0, bytes.length, 0))
}

describe('files of which a number is open at a time', () => {
  it('are opened again by the reads that need them; the one that was unused for the longest gives way', () => {
    const { disk, files, kept } = opened(2)
    expect(disk.openFiles()).toEqual(['/c', '/d'])
    expect(textOf(kept.get('/c')!)).toBe('bytes of /c')
    expect(textOf(kept.get('/a')!)).toBe('bytes of /a')
    expect(disk.openFiles()).toEqual(['/a', '/c'])
    expect(files.reopened).toBe(1)
    for (const name of [...NAMES, '/c']) expect(textOf(kept.get(name)!)).toBe(`bytes of ${name}`)
    expect(files.count).toBe(2)
    for (const file of kept.values()) file.close()
    expect(disk.openFiles()).toEqual([])
    expect(() => textOf(kept.get('/a')!)).toThrow('is closed')
  })

  it('give theirs to a read where the process has no more descriptors', () => {
    const { disk, kept } = opened(10)
    const more = disk.open('/e', 'append')
    disk.descriptorsMax = 4
    kept.get('/a')!.rest()
    expect(textOf(kept.get('/a')!)).toBe('bytes of /a')
    expect(disk.openFiles().length).toBeLessThan(4)
    more.close()
  })

  it('fail the read alone where there is no descriptor at all, or the disk fails', () => {
    const { disk, kept } = opened(1)
    const [a, d] = [kept.get('/a')!, kept.get('/d')!]
    d.rest()
    disk.descriptorsMax = 0
    expect(() => textOf(a)).toThrow('EMFILE')
    disk.descriptorsMax = 1
    disk.failOpening = (path) => path === '/a'
    expect(() => textOf(a)).toThrow('EIO')
    expect(textOf(d)).toBe('bytes of /d')
    disk.failOpening = () => false
    expect(textOf(a)).toBe('bytes of /a')
    expect(disk.openFiles()).toEqual(['/a'])
  })

  it('are noticed where they are missing, shorter, or another file has their name', () => {
    const { disk, kept } = opened(1)
    const a = kept.get('/a')!
    disk.rename('/a', '/elsewhere')
    expect(() => textOf(a)).toThrow('store file /a is missing')
    disk.replace('/a', Buffer.from('bytes'))
    expect(() => textOf(a)).toThrow('file size at offset 0: expected 11, found 5')
    disk.replace('/a', Buffer.from('bytes of /b'))
    expect(() => textOf(a)).toThrow('expected the one that was opened first, found another one')
    a.isCopy = (file) => file.read(Buffer.alloc(1), 0, 1, 0) === 1
    expect(textOf(a)).toBe('bytes of /b')
    disk.rename('/elsewhere', '/a')
    expect(disk.openFiles()).toEqual(['/a'])
  })

  it('may go once no reader has them', async () => {
    const { files, kept } = opened(1)
    const again = files.open('/a')
    let isUnused = false
    const unused = files.whenUnused('/a')!.then(() => {
      isUnused = true
    })
    kept.get('/a')!.close()
    await Promise.resolve()
    expect(isUnused).toBe(false)
    again.close()
    again.close()
    await unused
    expect(files.whenUnused('/a')).toBeUndefined()
    const ended = files.whenUnused('/b')
    files.stopWaiting()
    await ended
  })
})
