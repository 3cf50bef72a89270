/** HBase's matrix through REST and Thrift 2: users who are denied through native RPC are denied there, and see the same. */

import { readFileSync, writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DEFAULT_SERVER_LIMITS,
  type ServerOptions,
} from '../../../../adapters/servers/requests/server-options.ts'
import { startRestDoor } from '../../../../src/doors/rest/rest-door.ts'
import { openThriftServices } from '../../../../src/doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../../../../src/doors/thrift/thrift-door.ts'
import type { Door, DoorContext, OwnServer } from '../../../../src/gateway/door.ts'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { DEFAULT_LIMITS } from '../../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { packageRoot } from '../../../../src/package-root.ts'
import type { Store } from '../../../../src/store/store.ts'
import { askPrepared, type Matrix, prepareMatrix } from '../../../harness/access/ask-matrix.ts'
import { wantedOfTidegate } from '../../../harness/access/differences.ts'
import { CATALOG_OPERATIONS, OPERATIONS, ROW_OPERATIONS } from '../../../harness/access/operations.ts'
import { PEOPLE, SUPERUSER } from '../../../harness/access/people.ts'
import { PemFolder } from '../../../harness/certificates.ts'
import { restStoreOn, thriftStoreOn } from '../../../harness/doors-over-store.ts'
import { startAuthorizedServer } from './authorized-server.ts'

const RECORDED = JSON.parse(
  readFileSync(new URL('test/gateway/policies/access/recorded-matrix.json', packageRoot()), 'utf8'),
) as Matrix
const WANTED = wantedOfTidegate(RECORDED)
/** The rest is upkeep, which neither protocol has. REST deletes an enabled table: later tests would lack it. */
const { deleteTable: _, ...OF_CATALOG } = CATALOG_OPERATIONS
/** The adapters of these servers have no question for the existence of any cell of a row: they read its cells. */
const { 'exists a row': _existence, ...OF_ROWS } = ROW_OPERATIONS
const ASKED = { ...OF_ROWS, ...OF_CATALOG, modifyTable: OPERATIONS['modifyTable']! }
/** The adapter of REST finds these out first, as REST has fewer words, and answers them instead of a denial. */
const FOUND_OUT_FIRST = ['TABLE_EXISTS', 'NAMESPACE_EXISTS', 'NAMESPACE_NOT_FOUND']
const PASSWORD = 'the password of all users'

type OpenDoor = (user: string) => Store

interface Guarded {
  readonly matrix: Matrix
  close(): Promise<void>
}

let folder: PemFolder
let guard: Guard
const guarded = new Map<string, Guarded>()

/** The password of the first is that of all: a password file does not tell whose hash it is. */
async function passwordFile(path: string): Promise<string> {
  const [first, ...others] = PEOPLE
  await writeUser(path, first!, PASSWORD)
  const start = `${first}:`
  const line = readFileSync(path, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(start))!
  const lines = others.map((name) => line.replace(start, `${name}:`))
  writeFileSync(path, `${[line, ...lines].join('\n')}\n`)
  return path
}

function as(user: string): Partial<ServerOptions> {
  return {
    credentials: { user, password: PASSWORD },
    limits: { ...DEFAULT_SERVER_LIMITS, retriesMax: 0, pauseMs: 1 },
  }
}

/** A server of its own for each: a user who may alter a table owns it afterwards. */
async function ask(
  start: (context: DoorContext, own: OwnServer) => Promise<Door>,
  open: (door: Door) => OpenDoor,
): Promise<Guarded> {
  const server = await startAuthorizedServer()
  const own = { host: '127.0.0.1', port: 0, startCode: 1 }
  const [logger, memory] = [pino({ level: 'silent' }), new MemoryBudget(Number.POSITIVE_INFINITY)]
  const door = await start(
    { store: server.store, server: own, limits: DEFAULT_LIMITS, memory, logger, guard },
    own,
  )
  const superuser = await server.open(SUPERUSER)
  await prepareMatrix(superuser)
  await superuser.close()
  const opened = open(door)
  return {
    matrix: await askPrepared((user) => Promise.resolve(opened(user)), ASKED),
    close: async () => {
      await door.close()
      await server.close()
    },
  }
}

beforeAll(async () => {
  folder = new PemFolder()
  const users = await passwordFile(`${folder.path}/users`)
  guard = new Guard({ users, certificates: false }, pino({ level: 'silent' }))
  const rest = await ask(
    startRestDoor,
    ({ port }) =>
      (user) =>
        restStoreOn(port, as(user)),
  )
  guarded.set('REST', rest)
  const thrift = await ask(
    (context, own) => startThriftDoor(context, own, openThriftServices(context)),
    ({ port }) =>
      (user) =>
        thriftStoreOn(port, 'buffered', as(user)),
  )
  guarded.set('Thrift 2', thrift)
}, 300_000)

afterAll(async () => {
  for (const each of guarded.values()) await each.close()
  guard.close()
  folder.remove()
})

/** Doors tell a denial in their own words. */
function withoutWords(answer: string): string {
  return answer.replace(/^denied: .*/s, 'denied')
}

describe.each(['REST', 'Thrift 2'])('%s', (door) => {
  test.each(Object.keys(ASKED))("%s is for the users of HBase's matrix", (operation) => {
    const { matrix } = guarded.get(door)!
    const [answers, wanted] = [matrix[operation]!, WANTED[operation]!]
    // The protocol cannot ask that.
    if (answers[SUPERUSER] === 'UNSUPPORTED') return
    for (const person of PEOPLE) {
      const [answer, expected] = [withoutWords(answers[person]!), withoutWords(wanted[person]!)]
      const isFoundOut = door === 'REST' && expected === 'denied' && FOUND_OUT_FIRST.includes(answer)
      expect([person, isFoundOut ? 'denied' : answer]).toEqual([person, expected])
    }
  })
})
