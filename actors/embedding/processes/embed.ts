/** Entry of a model process: one row of tokens in, one unit vector out. */
import { poolRows } from "../model/pooling.js";
import { serveModel } from "./serve-model.js";

serveModel(async (session, rows) => {
  const { data, width } = await session.run(rows);
  return poolRows(
    data,
    width,
    rows.map(({ ids }) => ids.length),
  );
});
