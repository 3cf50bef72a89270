/** Answers that the generated code writes. Those with very many parts, such as the loads of all regions, are written in steps. */

import { create, type DescField, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { atOnce, type Steps } from '../../../model/steps.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'

/** Most nested messages of an answer that is written in one go. */
const PARTS_AT_ONCE = 500
/** Bytes of a nested message, roughly. */
const PART_BYTES = 256
/** Messages of a list that one step writes. */
const STEP_PARTS = 64

type Fields = Readonly<Record<string, unknown>>

/** The part of an RpcAnswer that this module makes. */
interface GeneratedAnswer {
  readonly write: (writer: MessageWriter) => void
  readonly writeInSteps?: (writer: MessageWriter) => Steps<void>
  readonly bytes?: number
}

export function generatedAnswer<Output extends DescMessage>(
  schema: Output,
  init: MessageInitShape<Output>,
): GeneratedAnswer {
  const parts = partsOf(schema, init)
  if (parts <= PARTS_AT_ONCE) {
    const bytes = toBinary(schema, create(schema, init))
    return { write: (writer) => writer.raw(bytes) }
  }
  const writeInSteps = (writer: MessageWriter): Steps<void> => messageInSteps(schema, init, writer)
  return { write: (writer) => atOnce(writeInSteps(writer)), writeInSteps, bytes: parts * PART_BYTES }
}

/** Counts nested messages. Does not look into the messages of a list that is long enough by itself. */
function partsOf(schema: DescMessage, init: Fields): number {
  let parts = 0
  for (const [name, value] of Object.entries(init)) {
    const within = messageOf(schema.field[name])
    if (within === undefined || value === undefined) continue
    const messages = Array.isArray(value) ? (value as Fields[]) : [value as Fields]
    parts += messages.length
    if (messages.length > PARTS_AT_ONCE) continue
    for (const message of messages) parts += partsOf(within, message)
  }
  return parts
}

function messageOf(field: DescField | undefined): DescMessage | undefined {
  const isOfMessages =
    field?.fieldKind === 'message' || (field?.fieldKind === 'list' && field.listKind === 'message')
  return isOfMessages ? field.message : undefined
}

function* messageInSteps(schema: DescMessage, init: Fields, writer: MessageWriter): Steps<void> {
  const { short, lists } = divided(schema, init)
  writer.raw(toBinary(schema, create(schema, short)))
  yield* listsInSteps(schema, lists, writer)
}

interface Divided {
  /** All fields but the long lists. */
  readonly short: Fields
  /** The long lists; those within a nested message stand under that message's name. */
  readonly lists: Fields
}

/** Divides a message in two: a protobuf reader merges the parts of a nested message that it finds in several places. */
function divided(schema: DescMessage, init: Fields): Divided {
  const short: Record<string, unknown> = {}
  const lists: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(init)) {
    const field = schema.field[name]
    const within = messageOf(field)
    if (within === undefined || value === undefined || partsOf(schema, { [name]: value }) <= PARTS_AT_ONCE) {
      short[name] = value
    } else if (field!.fieldKind === 'list') lists[name] = value
    else {
      const own = divided(within, value as Fields)
      short[name] = own.short
      lists[name] = own.lists
    }
  }
  return { short, lists }
}

function* listsInSteps(schema: DescMessage, lists: Fields, writer: MessageWriter): Steps<void> {
  for (const [name, value] of Object.entries(lists)) {
    const field = schema.field[name]!
    const within = messageOf(field)!
    if (!Array.isArray(value)) {
      const start = writer.begin(field.number)
      yield* listsInSteps(within, value as Fields, writer)
      writer.end(start)
      continue
    }
    for (const [index, message] of (value as Fields[]).entries()) {
      if (index % STEP_PARTS === STEP_PARTS - 1) yield
      const start = writer.begin(field.number)
      if (partsOf(within, message) > PARTS_AT_ONCE) yield* messageInSteps(within, message, writer)
      else writer.raw(toBinary(within, create(within, message)))
      writer.end(start)
    }
  }
}
