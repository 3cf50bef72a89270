import type { Call } from '../../store/call.ts'

/**
 * What a Thrift service is to the door: one handler for each method of its IDL.
 *
 * Arguments come as one object with the IDL's names. i64 is a bigint; i8, i16, i32, double and enums are numbers; string
 * is text; binary (and its typedefs Text and Bytes) is a Buffer, a view of the request; list and set are arrays; a map
 * is a Map where its keys are text or numbers and an array of [key, value] where they are binary; structs are such
 * objects again. What the client left out has the IDL's default; else, for a number or bool that is neither required nor
 * optional, Java's zero; else it is undefined. What the IDL requires is there: calls without it are answered by the door.
 *
 * Two kinds of argument may come as cells instead: `mutations` and `rowBatches` of Thrift 1's mutateRow, mutateRowTs,
 * mutateRows and mutateRowsTs are RowMutations, the puts apart from the deletes, and `tput` and `tputs` of Thrift 2's put
 * and putMultiple are a MutationBatch, where they are plain (row and columns well formed, no attributes, no visibility),
 * with the request's timestamps and durability in them. Anything else about them comes as objects.
 *
 * A handler returns, or resolves to, the method's result in the same forms (maps may be given either way; an undefined
 * field is left out), or a RowResults in the place of result rows. It throws ThriftException for what the IDL declares.
 * An HBaseError stands for what HBase's handlers let through undeclared (a bad argument): it is answered, in HBase's
 * words, as TApplicationException INTERNAL_ERROR. Anything else is a bug: it is answered so, too, and logged as an error.
 *
 * The calls of one connection are run one after the other, in order. Each is given the connection's Call for the store,
 * whose signal is aborted once the client has hung up.
 */
export interface ThriftService {
  /** The IDL's name of the service. */
  readonly name: string
  readonly handlers: ThriftHandlers
  /** How many scanners its clients hold open, if it has any. */
  readonly openScanners?: () => number
}

/** Handlers by method; each states the arguments that it expects. */
export type ThriftHandlers = Readonly<Record<string, ThriftHandler>>
export type ThriftHandler = (args: never, call: Call) => unknown

export { type Lender, type RowResultOptions, RowResults } from '../../wire/thrift/row-results.ts'
export { ThriftException } from '../../wire/thrift/thrift-exception.ts'
