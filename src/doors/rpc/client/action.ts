import type { CoprocessorServiceCall } from '../../../wire/rpc/gen/client_pb.ts'
import type { MutationMessage } from '../messages/read-mutation.ts'
import type { GetMessage } from '../messages/read-query.ts'

/** An action of a Multi. */
export type Action =
  | { readonly kind: 'get'; readonly index: number; readonly get: GetMessage }
  | { readonly kind: 'mutation'; readonly index: number; readonly mutation: MutationMessage }
  | { readonly kind: 'service'; readonly index: number; readonly service: CoprocessorServiceCall }
  /** An action that fails by itself, without failing the request. */
  | { readonly kind: 'refused'; readonly index: number; readonly error: unknown }
