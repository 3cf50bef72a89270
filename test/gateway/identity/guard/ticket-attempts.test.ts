import { beforeEach, expect, test } from 'vitest'
import { HeldLogin, TicketAttempts } from '../../../../src/gateway/identity/guard/ticket-attempts.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { SaslFailure } from '../../../../src/wire/sasl/sasl.ts'
import { FakeService } from '../../../harness/fake-kerberos.ts'
import { placeFrom } from '../../../harness/login-place.ts'

const TICKET = Buffer.from('ticket')

let now: number
let attempts: TicketAttempts
let service: FakeService

beforeEach(() => {
  now = 1000
  attempts = new TicketAttempts(() => now)
  service = new FakeService()
})

function begin(address = '10.0.0.1'): HeldLogin {
  return new HeldLogin(service.saslServer(['authentication']), attempts, placeFrom(address, 'rpc'))
}

async function fail(times: number, address?: string): Promise<void> {
  for (let time = 0; time < times; time++)
    await expect(begin(address).step(Buffer.from('none'))).rejects.toThrow('the ticket is malformed')
}

async function damaged(): Promise<never> {
  throw new SaslFailure('damaged')
}

/** Whether a login with a good ticket is refused without a look. */
async function waits(address?: string): Promise<boolean> {
  const { asked } = service
  try {
    await begin(address).step(TICKET)
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'THROTTLED' })
    expect(service.asked).toBe(asked)
    return true
  }
}

async function logIn(login = begin()): Promise<void> {
  for (const message of [TICKET, Buffer.alloc(0), Buffer.from('{"principal":"alice@TEST"}')])
    await login.step(message)
}

test('after thirty failures in a row an address waits, longer each time and four seconds at most, and no other does', async () => {
  await fail(29)
  expect(await waits()).toBe(false)
  await fail(1)
  expect([await waits(), await waits('10.0.0.2')]).toEqual([true, false])
  for (const [waitMs, times] of [
    [1000, 1],
    [2000, 1],
    [4000, 1],
    [4000, 30],
  ] as const) {
    for (let time = 0; time < times; time++) {
      now += waitMs - 1
      expect(await waits()).toBe(true)
      now += 1
      await fail(1)
    }
  }
})

test('an address of IPv6 is its network', async () => {
  for (let host = 0; host < 30; host++) await fail(1, `2001:db8::${host}`)
  expect([await waits('2001:db8::ffff'), await waits('2001:db8:0:1::1')]).toEqual([true, false])
})

test('a login that succeeds forgets the failures of its address, the first message of one does not', async () => {
  await fail(29)
  expect(await waits()).toBe(false)
  await fail(1)
  expect(await waits()).toBe(true)
  now += 1000
  await logIn()
  await fail(29)
  expect(await waits()).toBe(false)
})

test('a login that has begun ends, whatever others fail meanwhile', async () => {
  const login = begin()
  await login.step(TICKET)
  await fail(30)
  for (const message of ['', '{"principal":"alice@TEST"}']) await login.step(Buffer.from(message))
  expect(login.authenticated).toBe('alice@TEST')
})

test('a login that could not be checked has not failed', async () => {
  const place = placeFrom('10.0.0.1', 'rest')
  for (let time = 0; time < 40; time++)
    await expect(
      attempts.tried(place, () => Promise.reject(new HBaseError('OVERLOADED', 'many wait'))),
    ).rejects.toThrow('many wait')
  expect(await attempts.tried(place, async () => 'checked')).toBe('checked')
})

test('one step counts as several do', async () => {
  const place = placeFrom('10.0.0.1', 'rest')
  for (let time = 0; time < 29; time++)
    await expect(attempts.tried(place, damaged)).rejects.toThrow('damaged')
  await attempts.tried(place, async () => 'right')
  for (let time = 0; time < 30; time++)
    await expect(attempts.tried(place, damaged)).rejects.toThrow('damaged')
  await expect(attempts.tried(place, damaged)).rejects.toThrow('try again in 1 s')
})

test('a client that hangs up within its message has failed if its ticket does not count', async () => {
  const [bad, good] = [begin(), begin()]
  let answer: (() => void) | undefined
  service.pause = () => new Promise((resolve) => (answer = resolve))
  for (const [login, message] of [
    [bad, 'none'],
    [good, 'ticket'],
  ] as const) {
    const step = login.step(Buffer.from(message)).catch((error: unknown) => error)
    login.close()
    expect(service.open).toBe(login === bad ? 2 : 1)
    answer!()
    await step
  }
  expect(service.open).toBe(0)
  service.pause = undefined
  await fail(28)
  expect(await waits()).toBe(false)
  await fail(1)
  expect(await waits()).toBe(true)
})
