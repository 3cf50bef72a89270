import { valueLength } from '../../model/cell.ts'
import type { CellBlockBuilder } from '../../model/cell-block.ts'
import { FilterCode } from './filter-code.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'
import { appendInForm, VALUE_AS_IT_IS } from './value-form.ts'

/** A filter that lets everything through; each filter overrides its own behaviour. HBase: FilterBase. */
export abstract class BaseEvaluator implements FilterEvaluator {
  get hasFilterRow(): boolean {
    return false
  }

  get transforms(): boolean {
    return false
  }

  get isHinting(): boolean {
    return false
  }

  reset(): void {}

  filterRowKey(_buffer: Buffer, _cell: number): boolean {
    return false
  }

  filterAllRemaining(): boolean {
    return false
  }

  filterCell(_buffer: Buffer, _cell: number, _tags?: number, _tagsBytes?: number): FilterCode {
    return FilterCode.Include
  }

  nextCellHint(_buffer: Buffer, _cell: number): Buffer | undefined {
    return undefined
  }

  valueForm(before: number, _valueLength: number): number {
    return before
  }

  appendTransformed(target: CellBlockBuilder, buffer: Buffer, cell: number, bytes: number): void {
    const form = this.valueForm(VALUE_AS_IT_IS, valueLength(buffer, cell))
    appendInForm(target, form, buffer, cell, bytes)
  }

  filterRowCells(_buffer: Buffer, _cells: number[]): void {}

  filterRow(): boolean {
    return false
  }

  isFamilyEssential(_family: Buffer): boolean {
    return true
  }

  abandon(): void {}

  setReversed(_reversed: boolean): void {}
}
