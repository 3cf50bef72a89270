/** HFiles with right checksums and cells that no store would have written. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { FileInfo, InfoKey } from '../../../adapters/native/hfile/file-info.ts'
import { importFiles } from '../../../adapters/native/transfer/import-files.ts'
import { CELL_HEADER_BYTES, CellType, keyLength } from '../../../src/model/cell.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { keyValue, stored, writeFile } from './hfile/cells.ts'
import { checked } from './inspect/damaged-store.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'
import { transferParts } from './transfer-parts.ts'

const PATH = '/in/f/file'

afterEach(() => {
  vi.restoreAllMocks()
})

function fileOf(...cells: Buffer[]): Buffer {
  return writeFile(cells.map((cell) => stored(cell))).bytes
}

/** Of rows b and z, and says that it ends with c. */
function misstated(): Buffer {
  const last = keyValue('c')
  const key = last.subarray(CELL_HEADER_BYTES, CELL_HEADER_BYTES + keyLength(last, 0))
  const set = Object.getOwnPropertyDescriptor(FileInfo.prototype, 'set')!.value as FileInfo['set']
  vi.spyOn(FileInfo.prototype, 'set').mockImplementation(function (this: FileInfo, name, value) {
    set.call(this, name, name === InfoKey.LastKey ? key : value)
  })
  const bytes = fileOf(keyValue('b'), keyValue('z'))
  vi.restoreAllMocks()
  return bytes
}

const HOSTILE: readonly (readonly [what: string, bytes: () => Buffer, message: string])[] = [
  ['a row without bytes', () => fileOf(keyValue('')), 'a row of 0 bytes'],
  ['a row longer than an int16', () => fileOf(keyValue('r'.repeat(40_000))), 'a row of 40000 bytes'],
  ['a type of no cell', () => fileOf(keyValue('r', 'q', 1n, 99)), 'type 99'],
  ['a type of searches', () => fileOf(keyValue('r', 'q', 1n, CellType.Maximum)), 'type 255'],
]

describe('a file of', () => {
  it.each(HOSTILE)('%s is loaded by nobody', async (_what, bytes, message) => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    session.fileSystem.replace(PATH, bytes())
    await expect(load(session)).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: expect.stringContaining(message) as string,
    })
    expect(await session.rows()).toEqual([])
    await session.store.close()
    const files = session.fileSystem.killed()
    const request = { table: TABLE, paths: [PATH], create: false }
    await expect(importFiles(transferParts(files), request)).rejects.toThrow(message)
    expect(checked(files).findings).toEqual([])
  })

  it('rows of another region than its last key says is refused whole', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'), ['m'])
    session.fileSystem.replace(PATH, misstated())
    await expect(load(session)).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
    await session.put(['a'])
    expect(await session.rows()).toEqual(['a=v'])
    await session.store.close()
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(checked(session.fileSystem.killed()).findings).toEqual([])
  })
})

async function load(session: StoreUnderTest): Promise<boolean> {
  const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
  const ref = { table: TABLE, encodedName: region!.encodedName }
  return session.store.upkeep.bulkLoads!.bulkLoad(ref, [{ family: Buffer.from('f'), path: PATH }], OWN_CALL)
}
