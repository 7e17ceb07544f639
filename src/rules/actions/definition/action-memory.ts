// What one action remembers about a merge request, in `memory.of` under its name. The action gives the type.
import type { Json, Memory } from '../../types.ts'

/** `T` is plain JSON. */
export const actionMemory = <T>(action: string) => ({
  of: ({ of = {} }: Pick<Memory, 'of'>) => of[action] as T | undefined,
  /** The memory with another value; undefined removes it. */
  put({ of: { [action]: _before, ...others } = {}, ...memory }: Memory, value: T | undefined): Memory {
    const of = value === undefined ? others : { ...others, [action]: value as Json }
    return Object.keys(of).length === 0 ? memory : { ...memory, of }
  },
})
