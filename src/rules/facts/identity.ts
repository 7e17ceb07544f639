// The number, address and source project of a merge request: for texts, and for rules about a certain one.

import { integer, text } from '../language/operators/fact-types.ts'
import { fact } from './definition/fact.ts'
import { sources } from './definition/sources.ts'

const from = sources.mergeRequest

export const iid = fact({
  doc: 'Its number in the project: the 7 of `!7` or `#7`.',
  type: integer,
  from,
  read: (mr) => mr.iid,
  stable: true,
  ofIssues: true,
  example: 'iid: { more_than: 100 }',
})

export const web_url = fact({
  doc: 'Its address in the browser.',
  type: text,
  from,
  read: (mr) => mr.web_url,
  showsInUpdatedAt: true,
  lasting: true,
  ofIssues: true,
  example: 'web_url: { matches: "^https://code[.]example[.]com/" }',
})

export const source_project_id = fact({
  doc: 'The id of the project that the source branch is in.',
  type: integer,
  from,
  read: (mr) => mr.source_project_id,
  stable: true,
  example: 'source_project_id: [1, 2]',
})
