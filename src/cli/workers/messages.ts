/** Messages between the processes of one server: each worker with its parent, which passes questions on. */

/** The reports that a worker can make. */
export type ReportKind = 'metrics' | 'readiness'

/** A worker whose doors listen. */
export interface ReadyFacts {
  readonly store: string
  /** The address of each door, by the door's name: `127.0.0.1:8080`, or `off`. */
  readonly addresses: Readonly<Record<string, string>>
  readonly ports: Readonly<Record<string, number>>
  readonly lowered: string | undefined
}

/** The reason why a worker could not start, in words for the operator. */
export interface StartFault {
  readonly message: string
  readonly exitCode: number
}

export type FromWorker =
  /** It has loaded its code. Earlier messages to it are lost. */
  | { readonly kind: 'hears' }
  | { readonly kind: 'ready'; readonly facts: ReadyFacts }
  | { readonly kind: 'failed'; readonly fault: StartFault }
  /** Wants to know something of all workers. `ask`: the worker's own number of the question. */
  | { readonly kind: 'ask'; readonly ask: number; readonly about: ReportKind }
  | { readonly kind: 'report'; readonly ask: number; readonly report: unknown }

export type ToWorker =
  /** Its files are to be read again. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'stop'; readonly reason: string }
  | { readonly kind: 'question'; readonly ask: number; readonly about: ReportKind }
  | { readonly kind: 'answers'; readonly ask: number; readonly reports: readonly unknown[] }

/** The place of a worker among the others, which its environment states. */
export interface WorkerPlace {
  /** From 1 on; a worker that takes the place of a dead one has its number. */
  readonly number: number
  /** As in SiblingsParts. */
  readonly slot: number
  readonly startedAt: number
  readonly folder: string
  /** Path of a file with the secret that signs the cookies of all workers, where the settings name none. */
  readonly cookieSecret: string
  /** The announced ports, which the worker asks for by their numbers; undefined: it asks for those of the settings. */
  readonly ports?: Readonly<Record<string, number>> | undefined
}

/** The variable with a WorkerPlace. */
export const PLACE_VARIABLE = 'TIDEGATE_WORKER'
