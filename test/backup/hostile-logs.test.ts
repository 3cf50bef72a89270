/** Damage of archived logs: no command goes on past it without a word, hangs, or removes what is sound. */

import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFile,
  copyFile,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodePiece, encodePiece, type PieceHeader } from '../../src/backup/archive/archive-piece.ts'
import { archivedLogs, type Stretch } from '../../src/backup/archive/archived-logs.ts'
import { knownLogs } from '../../src/backup/archive/known-pieces.ts'
import { type PieceFile, readPiece } from '../../src/backup/archive/piece-file.ts'
import { MAIN } from '../harness/tidegate-process.ts'
import { type ArchivedWorld, inArchivedWorld } from './archived-world.ts'

interface Ran {
  readonly code: number | null
  readonly output: string
}

/** `code` is null for a command that hangs. */
function backup(...args: string[]): Ran {
  const options = { encoding: 'utf8', timeout: 30_000, killSignal: 'SIGKILL' } as const
  const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, 'backup', ...args], options)
  return { code: status, output: stdout + stderr }
}

/** Lists and verifies: both name the file, and end with exit code 1. */
function expectNamed({ folder }: ArchivedWorld, path: string, reason: string): void {
  for (const command of ['list', 'verify']) {
    const { code, output } = backup(command, folder)
    expect(output, command).toContain(`damaged: ${path}: ${reason}; it is of the archived logs`)
    expect(code, command).toBe(1)
  }
}

/** A backup, then a row in each of nine pieces. */
async function inNineRows(
  work: (world: ArchivedWorld, stretch: Stretch, pieces: readonly PieceFile[]) => Promise<void>,
): Promise<void> {
  await inArchivedWorld(async (world) => {
    await world.backUp()
    for (let i = 0; i < 9; i++) await world.put([`r${i}`])
    await world.note()
    const stretch = (await archivedLogs(world.folder))[0]!
    await work(world, stretch, stretch.pieces.slice(-9))
  })
}

function neverTaken(): Promise<void> {
  return Promise.reject(new Error('not to be read'))
}

async function written(path: string, change: Partial<PieceHeader>): Promise<void> {
  const { header, entries } = decodePiece(await readFile(path))
  await writeFile(path, Buffer.concat(encodePiece({ ...header, ...change }, entries)))
}

const otherPieces: readonly (readonly [
  string,
  (pieces: readonly PieceFile[]) => Promise<void>,
  (pieces: readonly PieceFile[]) => string,
])[] = [
  [
    'copied',
    async (pieces) => copyFile(pieces[2]!.path, pieces[5]!.path),
    (pieces) => `it is the piece ${pieces[2]!.name}`,
  ],
  [
    'swapped',
    async (pieces) => {
      await rename(pieces[5]!.path, `${pieces[5]!.path}.x`)
      await rename(pieces[6]!.path, pieces[5]!.path)
      await rename(`${pieces[5]!.path}.x`, pieces[6]!.path)
    },
    (pieces) => `it is the piece ${pieces[6]!.name}`,
  ],
  [
    'of another stretch',
    async (pieces) => written(pieces[5]!.path, { stretch: '20261130T034440Z-1a2b3c4d' }),
    () => 'it is a piece of another archived log, 20261130T034440Z-1a2b3c4d',
  ],
  [
    'of another server',
    async (pieces) => written(pieces[5]!.path, { clusterId: 'c-1' }),
    () => 'it is a piece of another server, whose cluster id is c-1',
  ],
]

test.each(otherPieces)(
  'a piece that is %s is damage, and ends the log before it',
  async (_, damage, reason) => {
    await inNineRows(async (world, _stretch, pieces) => {
      await damage(pieces)
      const { path } = pieces[5]!
      expectNamed(world, path, reason(pieces))
      const { code, output } = backup('restore', world.folder, '--to', world.at('r'), '--time', 'latest')
      expect(output).toContain(`damaged: ${path}: ${reason(pieces)}`)
      expect(code).toBe(1)
      expect(await world.rows('r')).toEqual(['r0=v', 'r1=v', 'r2=v', 'r3=v', 'r4=v'])
    })
  },
)

test('last pieces that are gone are named; a note that cannot be read counts as none, and is damage', async () => {
  await inNineRows(async (world, { folder }, pieces) => {
    const reached = join(folder, 'reached')
    const text = await readFile(reached, 'utf8')
    expect(text.split('\n')[0]).toBe(JSON.stringify({ at: world.now, last: pieces[8]!.last }))
    for (let at = 0; at < text.length - 1; at += 3) {
      for (const changed of [text.slice(0, at), `${text.slice(0, at)}~${text.slice(at + 1)}`]) {
        await writeFile(reached, changed)
        const [logs] = await knownLogs(world.folder)
        expect(logs!.faults).toMatchObject([{ path: reached, reason: 'it is damaged' }])
        expect(logs!.runs[0]!.reachedAt).toBe(logs!.runs[0]!.pieces.at(-1)!.header.to)
      }
    }
    const forms: readonly (readonly [string, () => unknown])[] = [
      ['it is no file', () => mkdir(reached)],
      ['it is no file', () => execFileSync('mkfifo', [reached])],
      ['ELOOP', () => symlink(reached, reached)],
      ['it is damaged', () => writeFile(reached, text.padStart(2000))],
    ]
    for (const [reason, make] of forms) {
      await rm(reached, { recursive: true })
      await make()
      expect((await knownLogs(world.folder))[0]!.faults).toMatchObject([
        { path: reached, reason: expect.stringContaining(reason) },
      ])
    }
    expectNamed(world, reached, 'it is damaged')
    await rm(reached)
    await writeFile(reached, text)
    expect(backup('list', world.folder)).toMatchObject({ code: 0 })

    for (const { path } of pieces.slice(7)) await rm(path)
    const [first, last] = [pieces[7]!, pieces[8]!]
    const reason = `the parts ${first.first} to ${last.last} of the archived log are missing`
    const path = join(folder, `${first.name.slice(0, 10)}-${last.name.slice(11)}`)
    expectNamed(world, path, reason)
    const { code, output } = backup('restore', world.folder, '--to', world.at('r'), '--time', 'latest')
    expect(output).toContain(`damaged: ${path}: ${reason}`)
    expect(code).toBe(1)
    expect(await world.rows('r')).toHaveLength(7)
  })
})

test('damage of the piece with the moment, or of the first one, is named by a restore behind it only', async () => {
  await inNineRows(async (world, { pieces: all }, pieces) => {
    const moment = all[all.length - 10]!
    const whole = await readFile(moment.path)
    await writeFile(moment.path, 'x')
    expectNamed(world, moment.path, 'it is no piece of an archived log')
    const { code, output } = backup('restore', world.folder, '--to', world.at('r'), '--time', 'latest')
    expect(output).toContain(`damaged: ${moment.path}: it is no piece of an archived log`)
    expect(code).toBe(1)
    expect(await world.rows('r')).toEqual([])
    await writeFile(moment.path, whole)
    // All that lies before the backup is in the backup.
    await writeFile(all[0]!.path, 'x')
    expect(moment.first).toBeGreaterThan(all[0]!.first)
    const before = backup('restore', world.folder, '--to', world.at('before'), '--time', 'latest')
    expect(before, before.output).toMatchObject({ code: 0 })
    expect(await world.rows('before')).toHaveLength(9)
    // Damage behind the time that is asked for costs nothing.
    await truncate(pieces[8]!.path, 20)
    const { header } = decodePiece(await readFile(pieces[3]!.path))
    const early = backup('restore', world.folder, '--to', world.at('early'), '--time', String(header.to))
    expect(early, early.output).toMatchObject({ code: 0 })
    expect(await world.rows('early')).toHaveLength(4)
  })
})

test('damage of a later log of the server is named by a restore that goes on to its times', async () => {
  await inNineRows(async (world) => {
    const end = world.now
    world.pass(5000)
    await world.newStretch()
    await world.put(['later'])
    const { path } = (await archivedLogs(world.folder))[1]!.pieces[0]!
    await writeFile(path, 'x')
    const early = backup('restore', world.folder, '--to', world.at('early'), '--time', String(end))
    expect(early, early.output).toMatchObject({ code: 0 })
    const late = backup('restore', world.folder, '--to', world.at('late'), '--time', String(world.now))
    expect(late.output).toContain(`damaged: ${path}`)
    expect(late.code).toBe(1)
  })
})

test('a pipe in the place of a file is damage, and keeps no command waiting', async () => {
  await inNineRows(async (world, _stretch, pieces) => {
    const { path } = pieces[5]!
    await rm(path)
    execFileSync('mkfifo', [path])
    expectNamed(world, path, 'it is no file')
    const { name } = (await world.destination.backups()).sound[0]!
    for (const other of [join(world.folder, 'tidegate-backups'), world.destination.pathOfBackup(name)]) {
      await rm(other)
      execFileSync('mkfifo', [other])
      const { code, output } = backup('list', world.folder)
      expect(output).toContain(`damaged backup: ${other}: it is no file`)
      expect(code).toBe(1)
    }
  })
})

test('a file that is too large for a piece is not read, and none before its bytes may be', async () => {
  await inNineRows(async (world, _stretch, pieces) => {
    const { path } = pieces[5]!
    const bytes = await readFile(path)
    await truncate(path, 1_900_000_000)
    const reason = 'it has 1900000000 bytes: no piece has so many'
    expectNamed(world, path, reason)
    expect(await readPiece(pieces[5]!, neverTaken)).toEqual({ entries: [], fault: { path, reason } })
    await writeFile(path, bytes)
    const asked: number[] = []
    const read = await readPiece(pieces[5]!, async (count) => {
      asked.push(count)
      await rm(path)
    })
    expect([read, asked]).toEqual(['gone', [bytes.length]])
  })
})

test('logs that no backup leads into are listed as such', async () => {
  await inNineRows(async (world, { folder, pieces }) => {
    const line = `logs  ${folder}, ${pieces.length} pieces: no backup goes with it`
    expect(backup('list', world.folder).output).not.toContain('no backup goes with it')
    const { name } = (await world.destination.backups()).sound[0]!
    await world.newStretch()
    await world.backUp()
    await world.destination.remove(name)
    for (const command of ['list', 'verify']) {
      const { code, output } = backup(command, world.folder)
      expect(output).toContain(line)
      expect(output.match(/no backup goes with it/g)).toHaveLength(1)
      expect(code).toBe(0)
    }
  })
})

test('bytes behind the end of a piece are damage that a restore names', async () => {
  await inNineRows(async (world, _stretch, pieces) => {
    await appendFile(pieces[5]!.path, 'x')
    const { fault } = await world.restore(world.now, 'r')
    expect(fault).toMatchObject({ path: pieces[5]!.path, reason: expect.stringContaining('more bytes') })
  })
})
