"""How the tables of the database came to be, a file a step; `traincost migrate` runs what is missing."""
