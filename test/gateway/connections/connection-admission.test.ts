import { Socket } from 'node:net'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { ConnectionAdmission } from '../../../src/gateway/connections/connection-admission.ts'

let now = 0
let logged: { msg: string; refused?: number }[]
let admission: ConnectionAdmission
const socket = new Socket()

beforeEach(() => {
  now = 0
  logged = []
  const logger = pino({}, { write: (line: string) => logged.push(JSON.parse(line) as { msg: string }) })
  admission = new ConnectionAdmission({ door: 'rest', connectionsMax: 2, logger, now: () => now })
})

test('an incident of refusals has a line at its begin and one at its end', () => {
  for (const open of [2, 2, 1, 2]) admission.refusal(socket, open)
  expect(logged).toHaveLength(1)
  now = 10_000
  expect(admission.refusal(socket, 1)).toBeUndefined()
  expect(logged[1]).toMatchObject({ msg: 'takes connections again', refused: 3, door: 'rest' })
  now = 50_000
  expect(admission.refusal(socket, 2)).toMatchObject({ code: 'OVERLOADED' })
  expect(logged).toHaveLength(3)
  expect(admission.refused).toBe(4)
})

test('no more than a few refused clients get an answer at a time', () => {
  const sockets = Array.from({ length: 40 }, () => new Socket())
  const answered = sockets.filter((each) => admission.mayAnswer(each))
  expect(answered).toHaveLength(16)
  answered[0]!.emit('close')
  expect(admission.mayAnswer(new Socket())).toBe(true)
  expect(admission.mayAnswer(new Socket())).toBe(false)
})
