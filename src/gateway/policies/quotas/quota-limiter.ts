/** The throttles of one user, table or namespace, or of the region servers. HBase: TimeBasedLimiter, RpcThrottlingException. */

import { HBaseError } from '../../../model/errors.ts'
import type { Throttle } from '../../../wire/rpc/gen/quota_pb.ts'
import { RateLimiter } from './rate-limiter.ts'

/** The amounts that a request takes of limits. */
export interface Consumption {
  readonly writes: number
  readonly reads: number
  readonly writeBytes: number
  readonly readBytes: number
}

const KINDS = [
  'reqNum',
  'reqSize',
  'reqCapacityUnit',
  'writeNum',
  'writeSize',
  'writeCapacityUnit',
  'readNum',
  'readSize',
  'readCapacityUnit',
] as const
type Kind = (typeof KINDS)[number]

const WORDS: Readonly<Record<Kind, string>> = {
  reqNum: 'number of requests exceeded',
  reqSize: 'request size limit exceeded',
  reqCapacityUnit: 'request capacity unit exceeded',
  writeNum: 'number of write requests exceeded',
  writeSize: 'write size limit exceeded',
  writeCapacityUnit: 'write capacity unit exceeded',
  readNum: 'number of read requests exceeded',
  readSize: 'read size limit exceeded',
  readCapacityUnit: 'read capacity unit exceeded',
}

/** HBase: hbase.quota.write.capacity.unit, hbase.quota.read.capacity.unit. */
const CAPACITY_UNIT_BYTES = 1024

export class QuotaLimiter {
  readonly #limiters: Readonly<Record<Kind, RateLimiter>>

  constructor(throttle: Throttle | undefined) {
    this.#limiters = Object.fromEntries(
      KINDS.map((kind) => [kind, RateLimiter.of(throttle?.[kind])]),
    ) as Record<Kind, RateLimiter>
  }

  get isLimited(): boolean {
    return KINDS.some((kind) => this.#limiters[kind].isLimited)
  }

  /** The most bytes that may be read at a time. */
  get readLimit(): number {
    const { readSize, reqSize } = this.#limiters
    return Math.min(readSize.limit, reqSize.limit)
  }

  update(other: QuotaLimiter): void {
    for (const kind of KINDS) this.#limiters[kind].update(other.#limiters[kind])
  }

  /** Throws THROTTLED where the request must wait. An amount above the whole limit counts as the limit. */
  check(asked: Consumption, now: number): void {
    const { reqNum, reqSize, writeNum, writeSize, readNum } = this.#limiters
    const requests = Math.min(reqNum.limit, readNum.limit + writeNum.limit)
    const capped: Consumption = {
      writes: Math.min(requests, writeNum.limit, asked.writes),
      reads: Math.min(requests, readNum.limit, asked.reads),
      writeBytes: Math.min(writeSize.limit, reqSize.limit, asked.writeBytes),
      readBytes: Math.min(this.readLimit, asked.readBytes),
    }
    for (const [kind, amount] of amounts(capped, asked)) {
      const waitMs = this.#limiters[kind].waitMs(amount, now)
      if (waitMs <= 0) continue
      const message = `${WORDS[kind]} - wait ${timeText(waitMs)}`
      throw new HBaseError('THROTTLED', message, { detail: { waitMs } })
    }
  }

  /** Takes the amounts. Negative ones are given back. */
  consume(taken: Consumption): void {
    for (const [kind, amount] of amounts(taken, taken)) this.#limiters[kind].consume(amount)
  }

  /** Corrects the taken bytes, by the difference from the expected ones. */
  correct(more: Pick<Consumption, 'writeBytes' | 'readBytes'>, units: { write: number; read: number }): void {
    const { reqSize, reqCapacityUnit, writeSize, writeCapacityUnit, readSize, readCapacityUnit } =
      this.#limiters
    reqSize.consume(more.writeBytes + more.readBytes)
    writeSize.consume(more.writeBytes)
    readSize.consume(more.readBytes)
    reqCapacityUnit.consume(units.write + units.read)
    writeCapacityUnit.consume(units.write)
    readCapacityUnit.consume(units.read)
  }
}

export function capacityUnits(bytes: number): number {
  return Math.ceil(bytes / CAPACITY_UNIT_BYTES)
}

/** The amounts in the order of HBase: TimeBasedLimiter.checkQuota. Capacity units are those of `asked`, without a cap. */
function amounts(of: Consumption, asked: Consumption): readonly (readonly [Kind, number])[] {
  const [writeUnits, readUnits] = [capacityUnits(asked.writeBytes), capacityUnits(asked.readBytes)]
  return [
    ['reqNum', of.writes + of.reads],
    ['reqSize', of.writeBytes + of.readBytes],
    ['reqCapacityUnit', writeUnits + readUnits],
    ...(of.writeBytes > 0
      ? ([
          ['writeNum', of.writes],
          ['writeSize', of.writeBytes],
          ['writeCapacityUnit', writeUnits],
        ] as const)
      : []),
    ...(of.readBytes > 0
      ? ([
          ['readNum', of.reads],
          ['readSize', of.readBytes],
          ['readCapacityUnit', readUnits],
        ] as const)
      : []),
  ]
}

/** A text such as `1hr, 20mins, 3sec, 40ms`, which HBase's clients parse. HBase: RpcThrottlingException.stringFromMillis. */
export function timeText(ms: number): string {
  const [hours, minutes] = [Math.trunc(ms / 3_600_000), Math.trunc((ms % 3_600_000) / 60_000)]
  const [seconds, rest] = [Math.trunc((ms % 60_000) / 1000), ms % 1000]
  const parts = [
    hours === 0 ? '' : `${hours}${hours > 1 ? 'hrs' : 'hr'}, `,
    minutes === 0 ? '' : `${minutes}${minutes > 1 ? 'mins' : 'min'}, `,
    seconds === 0 ? '' : `${seconds}sec, `,
    `${rest}ms`,
  ]
  return parts.join('')
}
