import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NODE_FILE_SYSTEM } from '../../../../adapters/native/platform/node-file-system.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidegate-files-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

describe('files', () => {
  it('are appended to, read, truncated and synced', async () => {
    const path = join(directory, 'a')
    const file = NODE_FILE_SYSTEM.open(path, 'create')
    file.append([Buffer.from('one')])
    file.append([Buffer.from('two'), Buffer.alloc(0), Buffer.from('three')])
    await file.sync()
    const target = Buffer.alloc(20, 0x2e)
    expect(file.read(target, 2, 5, 1)).toBe(5)
    expect(target.toString('latin1', 0, 8)).toBe('..netwo.')
    expect(file.read(target, 0, 20, 9)).toBe(2)
    file.truncate(4)
    file.append([Buffer.from('!')])
    expect(file.size()).toBe(5)
    file.close()
    expect(() => NODE_FILE_SYSTEM.open(path, 'create')).toThrow(/EEXIST/)
    expect(() => NODE_FILE_SYSTEM.open(join(directory, 'none'), 'read')).toThrow(/ENOENT/)
    const again = NODE_FILE_SYSTEM.open(path, 'append')
    again.append([Buffer.from('?')])
    expect(again.read(target, 0, 20, 0)).toBe(6)
    again.close()
  })

  it.each<[string, (path: string) => unknown]>([
    ['a folder', (path) => mkdirSync(path)],
    ['a pipe', (path) => spawnSync('mkfifo', [path])],
    ['a device', (path) => symlinkSync('/dev/null', path)],
  ])('have no name that %s has', (kind, make) => {
    const path = join(directory, 'taken')
    make(path)
    for (const mode of ['read', 'append'] as const)
      expect(() => NODE_FILE_SYSTEM.open(path, mode)).toThrow(`${path} is ${kind}, not a file: move it away`)
    expect(() => NODE_FILE_SYSTEM.open(path, 'create')).toThrow(/is .*, not a file|EEXIST/)
  })

  it('have no name that a socket has', async () => {
    const path = join(directory, 'taken')
    const server = net.createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    expect(() => NODE_FILE_SYSTEM.open(path, 'read')).toThrow(`${path} is a socket, not a file: move it away`)
    server.close()
  })

  it('are listed in order, renamed and removed', async () => {
    const inner = join(directory, 'x', 'y')
    expect(NODE_FILE_SYSTEM.list(inner)).toEqual([])
    NODE_FILE_SYSTEM.makeDirectory(inner)
    for (const name of ['b', 'a', 'c']) writeFileSync(join(inner, name), name)
    NODE_FILE_SYSTEM.rename(join(inner, 'c'), join(inner, 'a'))
    await NODE_FILE_SYSTEM.syncDirectory(inner)
    expect(NODE_FILE_SYSTEM.list(inner)).toEqual(['a', 'b'])
    NODE_FILE_SYSTEM.remove(join(directory, 'x'))
    NODE_FILE_SYSTEM.remove(join(directory, 'x'))
    expect(NODE_FILE_SYSTEM.exists(inner)).toBe(false)
  })

  it('are removed while other work goes on', async () => {
    const folder = join(directory, 'large')
    NODE_FILE_SYSTEM.makeDirectory(folder)
    writeFileSync(join(folder, 'a'), 'a')
    const removal = NODE_FILE_SYSTEM.removeLarge(folder)
    expect(NODE_FILE_SYSTEM.exists(folder)).toBe(true)
    await removal
    expect(NODE_FILE_SYSTEM.exists(folder)).toBe(false)
    await NODE_FILE_SYSTEM.removeLarge(folder)
  })
})
