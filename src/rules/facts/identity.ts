// The number, address and source project of a merge request: for texts, and for rules about a certain one.

import { integer, text } from '../language/operators/fact-types.ts'
import { field } from './definition/fact.ts'

export const iid = field({
  doc: 'Its number in the project: the 7 of `!7` or `#7`.',
  type: integer,
  read: 'iid',
  stable: true,
  ofIssues: true,
  example: 'iid: { more_than: 100 }',
})

export const web_url = field({
  doc: 'Its address in the browser.',
  type: text,
  read: 'web_url',
  showsInUpdatedAt: true,
  lasting: true,
  ofIssues: true,
  example: 'web_url: { matches: "^https://code[.]example[.]com/" }',
})

export const source_project_id = field({
  doc: 'The id of the project that the source branch is in.',
  type: integer,
  read: 'source_project_id',
  stable: true,
  example: 'source_project_id: [1, 2]',
})
