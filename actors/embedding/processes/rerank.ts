/** Entry of the reranker's process: one pair of texts in, one logit out, as it is. */
import { serveModel } from "./serve-model.js";

serveModel(async (session, rows) => {
  const { data } = await session.run(rows);
  if (data.length !== rows.length) throw new Error(`the network gives ${data.length} scores for ${rows.length} pairs`);
  return Float32Array.from(data);
});
