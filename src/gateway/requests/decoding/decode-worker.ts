/** The program of a thread that decodes large bodies, one at a time, by the task of the module that the order names. */

import { parentPort } from 'node:worker_threads'
import { idleCollector } from '../../../model/collector.ts'
import { failureOf, type Moved, type Order, type PartedTask, type Report, type Task } from './task.ts'

type AnyTask = Task<unknown, unknown, unknown>

const tasks = new Map<string, AnyTask>()
const collectIdle = idleCollector()
let running: PartedTask<unknown, unknown> | undefined

async function taskOf(module: string): Promise<AnyTask> {
  let task = tasks.get(module)
  if (task === undefined) {
    task = ((await import(module)) as { readonly task: AnyTask }).task
    tasks.set(module, task)
  }
  return task
}

function report(report: Report, memory: Moved<unknown>['memory'] = []): void {
  parentPort!.postMessage(report, memory)
}

function end(last: Report, memory: Moved<unknown>['memory'] = []): void {
  running = undefined
  report(last, memory)
  // In a turn of its own: by then nothing refers to the body any more.
  setImmediate(collectIdle)
}

async function follow({ module, input }: Order): Promise<void> {
  try {
    if (module !== undefined) {
      const made = (await taskOf(module))(input)
      if (!('next' in made)) {
        end({ kind: 'done', value: made.value }, made.memory)
        return
      }
      running = made
    }
    const { done, value: moved } = running!.next()
    if (done === true) end({ kind: 'done', value: moved.value }, moved.memory)
    else report({ kind: 'part', value: moved.value }, moved.memory)
  } catch (error) {
    end({ kind: 'failed', failure: failureOf(error) })
  }
}

parentPort!.on('message', (order: Order) => void follow(order))
