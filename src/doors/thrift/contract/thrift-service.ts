import type { Call } from '../../../store/call.ts'

/**
 * A Thrift service as the door sees it: one handler for each method of its IDL.
 *
 * Arguments come as one object with the IDL's names. i64 is a bigint; i8, i16, i32, double and enums are numbers; string is text. A binary
 * (and its typedefs Text and Bytes) is a Buffer, a view of the request; list and set are arrays. A map with text or numbers as keys is a
 * Map; one with binary keys is an array of [key, value]. A struct is such an object again. A field that the client left out has the IDL's
 * default; else, for a number or bool that is neither required nor optional, Java's zero; else undefined. Required fields are there: the
 * door answers calls without them.
 *
 * Plain arguments have well-formed rows and columns, no attributes and no visibility. Two kinds of them come as cells, with the request's
 * timestamps and durability. `mutations` and `rowBatches` of Thrift 1's mutateRow, mutateRowTs, mutateRows and mutateRowsTs are
 * RowMutations. `tput` and `tputs` of Thrift 2's put and putMultiple are a MutationBatch. Arguments that are not plain come as objects.
 *
 * A handler returns, or resolves to, the method's result in the same forms (maps may be given either way; an undefined
 * field is left out), or a RowResults in the place of result rows. It throws a ThriftException where the IDL declares one.
 * The door answers an HBaseError (a bad argument) as TApplicationException INTERNAL_ERROR with HBase's message. Any other
 * error is a bug: the door answers it in the same way and logs it as an error.
 * QUIRK thrift1-batch-mutate-rows-b-f-x: HBase answers an exception that the IDL does not declare as INTERNAL_ERROR.
 *
 * The calls of one connection run in order, one at a time. Each gets the connection's Call for the store, whose signal
 * is aborted once the client has hung up.
 */
export interface ThriftService {
  /** The IDL's name of the service. */
  readonly name: string
  readonly handlers: ThriftHandlers
  /** Turns an error into the exception that clients get. Absent where they get the error itself. */
  readonly exceptionOf?: (method: string, error: unknown) => unknown
  /** Number of open scanners; absent where the service has no scanners. */
  readonly openScanners?: () => number
  /** For each method, the argument that has the id of an open scanner. */
  readonly scannerArguments?: Readonly<Record<string, string>>
}

/** Handlers by method; each states the arguments that it expects. */
export type ThriftHandlers = Readonly<Record<string, ThriftHandler>>
export type ThriftHandler = (args: never, call: Call) => unknown

export { type Lender, type RowResultOptions, RowResults } from '../../../wire/thrift/row-results.ts'
export { ThriftException } from '../../../wire/thrift/thrift-exception.ts'
