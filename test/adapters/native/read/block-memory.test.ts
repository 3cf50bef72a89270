import { describe, expect, it } from 'vitest'
import { BlockMemory } from '../../../../adapters/native/read/block-memory.ts'

describe('block memory', () => {
  it('hands out again what was given back last', () => {
    const memory = new BlockMemory()
    const [first, second] = [memory.take(100), memory.take(100)]
    memory.giveBack(first)
    memory.giveBack(second)
    expect(memory.take(100)).toBe(second)
    expect(memory.take(50)).toBe(first)
  })

  it('never hands out less than was asked for', () => {
    const memory = new BlockMemory()
    memory.giveBack(Buffer.alloc(10))
    expect(memory.take(11).length).toBeGreaterThanOrEqual(11)
  })

  it('keeps neither many buffers nor large ones', () => {
    const memory = new BlockMemory()
    const large = Buffer.alloc(2 * 1024 * 1024)
    memory.giveBack(large)
    expect(memory.take(100)).not.toBe(large)
    const buffers: Buffer[] = Array.from({ length: 10 }, () => Buffer.alloc(100))
    for (const buffer of buffers) memory.giveBack(buffer)
    const taken = Array.from({ length: 10 }, () => memory.take(100))
    expect(taken.filter((buffer) => buffers.includes(buffer))).toHaveLength(4)
  })

  it('overwrites what is given back where it poisons', () => {
    const memory = new BlockMemory(true)
    const [small, large] = [Buffer.alloc(100), Buffer.alloc(2 * 1024 * 1024)]
    for (const buffer of [small, large]) {
      expect(memory.wants(buffer)).toBe(true)
      memory.giveBack(buffer)
      expect(new Set(buffer)).toEqual(new Set([0xdb]))
    }
    const untouched = Buffer.alloc(100)
    new BlockMemory().giveBack(untouched)
    expect(new Set(untouched)).toEqual(new Set([0]))
  })
})
