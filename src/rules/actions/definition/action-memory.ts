// What one action remembers about a merge request, in `memory.of` under its name. The action gives the type.
import type { Json, Memory } from '../../types.ts'

interface ActionMemory<T> {
  of(memory: Pick<Memory, 'of'>): T | undefined
  /** The memory with another value; undefined removes it. */
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
