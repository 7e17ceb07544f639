// A glob of branch names.
import { shape, textSchema } from '../values/shapes.ts'
import { LONGEST_GLOB, problemOfGlob } from './patterns.ts'

export const branchPattern = shape(
  'a glob of branch names',
  (value) =>
    typeof value === 'string' && value.trim() !== '' && problemOfGlob(value) === undefined ? value : undefined,
  textSchema(LONGEST_GLOB),
)
