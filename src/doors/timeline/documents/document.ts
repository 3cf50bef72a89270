/** The documents of answers, before they are encoded as JSON or XML. */

import type { StoredDomain } from '../domains/domain.ts'
import type { Entity, EntityEvents, PutError } from '../entities/entity.ts'

export type AnswerDocument =
  | { readonly kind: 'about'; readonly facts: readonly (readonly [string, string])[] }
  | { readonly kind: 'entities'; readonly entities: readonly Entity[] }
  | { readonly kind: 'entity'; readonly entity: Entity }
  | { readonly kind: 'events'; readonly events: readonly EntityEvents[] }
  | { readonly kind: 'domain'; readonly domain: StoredDomain }
  | { readonly kind: 'domains'; readonly domains: readonly StoredDomain[] }
  | { readonly kind: 'response'; readonly errors: readonly PutError[] }
  /** Hadoop: RemoteExceptionData. */
  | {
      readonly kind: 'exception'
      readonly exception: string
      readonly message: string | undefined
      readonly javaClass: string
    }
