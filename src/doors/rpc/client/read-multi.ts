import { HBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import type { Steps } from '../../../model/steps.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { type CoprocessorServiceCall, CoprocessorServiceCallSchema } from '../../../wire/rpc/gen/client_pb.ts'
import { Unread } from '../../../wire/rpc/long-values.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { LARGE_BYTES, type RpcRequest } from '../contract/rpc-service.ts'
import { CellSource } from '../messages/cell-source.ts'
import { type ConditionMessage, readCondition } from '../messages/read-condition.ts'
import { readClientMessage } from '../messages/read-message.ts'
import { type MutationMessage, readMutation } from '../messages/read-mutation.ts'
import { type GetMessage, readGet } from '../messages/read-query.ts'
import { readRegionSpecifier } from '../regions/read-region.ts'
import type { RegionSpecifier } from '../regions/region-specifier.ts'
import type { Action } from './action.ts'
import { PlainActions } from './plain-actions.ts'

export interface RegionActions {
  readonly region: RegionSpecifier
  /** True where the actions are one atomic change of a row. */
  readonly atomic: boolean
  readonly actions: readonly Action[]
  /** The independent actions where all are plain; `actions` is empty then. */
  readonly plain: PlainActions | undefined
  readonly condition: ConditionMessage | undefined
  /** True where the condition stands in the request itself: clients before 2.3 send it there, for their only region. */
  readonly isOfRequest?: boolean
}

export interface MultiMessage {
  readonly regions: readonly RegionActions[]
  readonly nonceGroup: bigint
}

/** Actions of a large request that are read in one step. */
const STEP_ACTIONS = 256

/** Reads a large message in several turns of the event loop. Undefined for a short one, which `readMulti` reads at once. Rejects as that throws. */
export function readLargeMulti(request: RpcRequest, actionsMax: number): Promise<MultiMessage> | undefined {
  const { end, at } = request.parameter
  if (end - at < LARGE_BYTES) return undefined
  return manyATurn(multiInSteps(new MultiReader(request, actionsMax)))
}

function* multiInSteps(reader: MultiReader): Steps<MultiMessage> {
  reader.keepLongValues()
  while (!reader.read(STEP_ACTIONS)) {
    const { unread } = reader
    if (unread === undefined) yield
    else yield* unread.steps
  }
  return reader.message()
}

/** Reads a message. Throws TOO_LARGE for more actions than `actionsMax`. `takesPlain`: false makes an object of each action. */
export function readMulti(request: RpcRequest, actionsMax: number, takesPlain = true): MultiMessage {
  const reader = new MultiReader(request, actionsMax, takesPlain)
  reader.read(Number.POSITIVE_INFINITY)
  return reader.message()
}

/** Reads a message, some actions at a time. */
class MultiReader {
  readonly #reader: MessageReader
  readonly #source: CellSource
  readonly #actionsMax: number
  readonly #regions: RegionActions[] = []
  #nonceGroup = 0n
  #condition: ConditionMessage | undefined
  /** Actions that may still come below the limit. */
  #left: number
  /** Reads the current region; undefined between two regions. */
  #region: RegionReader | undefined
  /** For the next region; undefined where none is read so. */
  #plain: PlainActions | undefined
  /** A long value that must be decoded before the next call of `read`; undefined where there is none. */
  unread: Unread | undefined

  constructor({ parameter, cells, takesTags }: RpcRequest, actionsMax: number, takesPlain = true) {
    this.#reader = parameter
    this.#source = new CellSource(cells, takesTags)
    this.#plain = takesPlain ? new PlainActions(this.#source) : undefined
    this.#actionsMax = actionsMax
    this.#left = actionsMax
  }

  keepLongValues(): void {
    this.#reader.keepLongValues()
  }

  /** Reads at most so many actions. Returns true once the message is read to its end. A region without actions counts as one. */
  read(actions: number): boolean {
    const reader = this.#reader
    this.unread = undefined
    for (let left = actions; ; ) {
      const region = this.#region
      const { at } = reader
      if (region !== undefined) {
        const read = region.read(this.#source, Math.min(left, this.#left + 1))
        left -= Math.max(1, read)
        this.#left -= read
        if (this.#left < 0) {
          throw new HBaseError('TOO_LARGE', `more than the ${this.#actionsMax} actions of the limit`)
        }
        if (region.isRead) {
          this.#regions.push(region.actions())
          this.#region = undefined
        }
        this.unread = region.unread
        if (left <= 0 || this.unread !== undefined) return false
      } else if (!reader.next()) return true
      else if (reader.field === Field.MultiRequest.regionAction)
        this.#region = new RegionReader(reader.message(), this.#unusedPlain())
      else if (reader.field === Field.MultiRequest.nonceGroup) this.#nonceGroup = reader.uint64()
      else if (reader.field === Field.MultiRequest.condition) {
        this.unread = this.#readCondition(at)
        if (this.unread !== undefined) return false
      } else reader.skip()
    }
  }

  #unusedPlain(): PlainActions | undefined {
    if (this.#plain !== undefined && this.#plain.length > 0) this.#plain = new PlainActions(this.#source)
    return this.#plain
  }

  /** Reads the condition, whose field begins at `at`. Returns a long value that must be decoded first, undefined where there is none. */
  #readCondition(at: number): Unread | undefined {
    const reader = this.#reader
    try {
      this.#condition = readCondition(reader.message())
      return undefined
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      reader.at = at
      return error
    }
  }

  message(): MultiMessage {
    const regions = this.#regions
    const nonceGroup = this.#nonceGroup
    const condition = this.#condition
    const [only, ...others] = condition === undefined ? [] : regions
    if (condition === undefined || only === undefined || only.condition !== undefined)
      return { regions, nonceGroup }
    const { actions, plain } = only
    const ofCondition = { ...only, plain: undefined, actions: plain?.actions() ?? actions }
    return { regions: [{ ...ofCondition, condition, isOfRequest: true }, ...others], nonceGroup }
  }
}

/** Reads the actions of one region, some at a time. */
class RegionReader {
  readonly #reader: MessageReader
  #actions: Action[] = []
  /** All actions so far, as long as they are plain. */
  #plain: PlainActions | undefined
  #region: RegionSpecifier | undefined
  #atomic = false
  #condition: ConditionMessage | undefined
  isRead = false
  /** A long value in the next field that must be decoded before it is read; undefined where there is none. */
  unread: Unread | undefined

  /** `plain`: has no actions yet. */
  constructor(reader: MessageReader, plain: PlainActions | undefined) {
    this.#reader = reader
    this.#plain = plain
  }

  get #count(): number {
    return this.#plain?.length ?? this.#actions.length
  }

  /** Reads at most so many actions. Returns their number. */
  read(source: CellSource, most: number): number {
    const field = Field.RegionAction
    const reader = this.#reader
    const before = this.#count
    const end = before + most
    let { at } = reader
    let cellsAt = source.at
    this.unread = undefined
    try {
      while (this.#count < end) {
        at = reader.at
        cellsAt = source.at
        if (!reader.next()) {
          this.isRead = true
          break
        }
        if (reader.field === field.action) this.#readAction(source)
        else if (reader.field === field.region) this.#region = readRegionSpecifier(reader.message())
        else if (reader.field === field.atomic) this.#atomic = reader.bool()
        else if (reader.field === field.condition) this.#condition = readCondition(reader.message())
        else reader.skip()
      }
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      this.unread = error
      reader.at = at
      source.at = cellsAt
    }
    return this.#count - before
  }

  #readAction(source: CellSource): void {
    if (this.#plain?.take(this.#reader) === true) return
    this.#leavePlain()
    const actions = this.#actions
    actions.push(readAction(this.#reader.message(), source, actions.length))
  }

  #leavePlain(): void {
    if (this.#plain !== undefined) this.#actions = this.#plain.actions()
    this.#plain = undefined
  }

  actions(): RegionActions {
    const region = this.#region
    if (region === undefined) {
      throw new HBaseError('DO_NOT_RETRY', 'Message missing required fields: region')
    }
    const atomic = this.#atomic
    const condition = this.#condition
    if (atomic || condition !== undefined || this.#count === 0) this.#leavePlain()
    return { region, atomic, actions: this.#actions, plain: this.#plain, condition }
  }
}

/** Reads an action. `place`: index of an action that states none, such as those of a RowMutations. HBase: RSRpcServices.doBatchOp. */
function readAction(reader: MessageReader, source: CellSource, place: number): Action {
  const field = Field.Action
  let index = place
  let get: GetMessage | undefined
  let mutation: MutationMessage | undefined
  let service: CoprocessorServiceCall | undefined
  while (reader.next()) {
    if (reader.field === field.index) index = reader.uint32()
    else if (reader.field === field.get) get = readGet(reader.message(), source.takesTags)
    else if (reader.field === field.mutation) mutation = readMutation(reader.message(), source)
    else if (reader.field === field.serviceCall) {
      service = readClientMessage(CoprocessorServiceCallSchema, reader.bytes())
    } else reader.skip()
  }
  if (get !== undefined) return { kind: 'get', index, get }
  if (service !== undefined) return { kind: 'service', index, service }
  if (mutation !== undefined) return { kind: 'mutation', index, mutation }
  return { kind: 'refused', index, error: NOTHING_TO_DO }
}

/** The error of an empty action: one object, as a message may have millions of them. HBase: RSRpcServices.doNonAtomicRegionMutation. */
const NOTHING_TO_DO = new HBaseError('DO_NOT_RETRY', 'Unexpected Action type', {
  javaClass: 'org.apache.hadoop.hbase.HBaseIOException',
})
