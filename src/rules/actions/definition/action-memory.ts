// What one action remembers of a merge request, typed by the action: `memory.of` has it by the action's name.
import type { Json, Memory } from '../../types.ts'

export interface ActionMemory<T> {
  of(memory: Pick<Memory, 'of'>): T | undefined
  /** The memory with another value; undefined: with none. */
  put(memory: Memory, value: T | undefined): Memory
}

/** `T` is plain JSON. */
export const actionMemory = <T>(action: string): ActionMemory<T> => ({
  of: ({ of = {} }) => of[action] as T | undefined,
  put({ of: { [action]: _before, ...others } = {}, ...memory }, value) {
    const of = value === undefined ? others : { ...others, [action]: value as Json }
    return Object.keys(of).length === 0 ? memory : { ...memory, of }
  },
})
